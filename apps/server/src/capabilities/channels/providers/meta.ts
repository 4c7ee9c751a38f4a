import { backoffMs } from '../../../platform/background/backoff.ts'
import { Agent, request } from 'undici'
import type { Clock } from '../../../platform/clock.ts'
import {
  type Insight,
  INSIGHT_FIELDS,
  LEVEL_WORDS,
  matchInsights,
  pauseMinutes,
} from './meta-insights.ts'
import { ProviderPaused } from '../sync/operations-sync.ts'
import { daysFrom, type StatProvider, type StatRequest, statRow } from './stat.ts'

export interface MetaSettings {
  readonly clock: Clock
  /** Address of the Graph API with its version, chosen by the operator, never by a caller. */
  readonly baseUrl: string
  readonly timeoutMs: number
  /** Waits between attempts and between reads of a report's state. */
  pause(ms: number, signal: AbortSignal): Promise<void>
}

const TRIES = 3
const BACKOFF = { firstMs: 1_000, maxMs: 60_000 }
const PAGES_MAX = 200
const PAGE_ROWS = 500
const ANSWER_BYTES_MAX = 20 * 1_048_576
/** Longer ranges are ordered as a report that Meta makes in the background. */
const DIRECT_DAYS = 7
const LOOKS_MAX = 60
const LOOK_MS = 5_000

/** The token is no longer valid. Only its owner can replace it. */
export class TokenExpired extends Error {}

/** Figures from the Graph API's insights. */
export function metaProvider(settings: MetaSettings): StatProvider {
  const agent = new Agent({ connections: 8, headersTimeout: settings.timeoutMs })
  return {
    adSource: 'META',
    days: 'latest',
    everyMinutes: 15,
    async fetchStats(requested) {
      const { externalId, credentials } = requested.account
      if (!externalId || !credentials) {
        throw new Error('The connection needs the id of its ad account, and credentials')
      }
      const call = callWith({ ...settings, agent, credentials, signal: requested.signal })
      const { insights, minutes } = await fetchInsights(call, { requested, account: externalId })
      const rows = matchInsights(insights, requested).map((reported) =>
        statRow(requested, reported),
      )
      const restsUntil = minutes > 0 ? minutesFrom(settings.clock, minutes) : undefined
      return { rows, restsUntil }
    },
  }
}

const minutesFrom = (clock: Clock, minutes: number) =>
  new Date(clock.now().getTime() + minutes * 60_000)

interface Caller extends MetaSettings {
  readonly agent: Agent
  readonly credentials: string
  readonly signal: AbortSignal
}

interface Answer {
  readonly body: Record<string, unknown>
  readonly minutes: number
}

interface Call {
  (method: 'GET' | 'POST', path: string, query: Readonly<Record<string, string>>): Promise<Answer>
  pause(): Promise<void>
}

/** One call with its retries. The token travels in a header, so that no address shows it. */
function callWith(caller: Caller): Call {
  const call = async (
    method: 'GET' | 'POST',
    path: string,
    query: Readonly<Record<string, string>>,
  ) => {
    for (let tries = 1; ; tries++) {
      const verdict = await attempt(caller, { method, path, query })
      if (verdict.kind === 'answered') return verdict
      if (tries >= TRIES) throw new Error(`The Graph API does not answer: ${verdict.reason}`)
      await caller.pause(backoffMs(BACKOFF, tries), caller.signal)
    }
  }
  return Object.assign(call, { pause: () => caller.pause(LOOK_MS, caller.signal) })
}

type Attempt = (Answer & { readonly kind: 'answered' }) | { kind: 'again'; reason: string }

async function attempt(
  { agent, baseUrl, credentials, signal, timeoutMs, clock }: Caller,
  requested: { method: 'GET' | 'POST'; path: string; query: Readonly<Record<string, string>> },
): Promise<Attempt> {
  const query = new URLSearchParams(requested.query).toString()
  const url = `${baseUrl.replace(/\/+$/, '')}/${requested.path}?${query}`
  let status: number
  let headers: Readonly<Record<string, unknown>>
  let body: Record<string, unknown>
  try {
    const answer = await request(url, {
      dispatcher: agent,
      method: requested.method,
      headers: { authorization: `Bearer ${credentials}`, accept: 'application/json' },
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    })
    status = answer.statusCode
    headers = answer.headers
    body = await readJson(answer.body)
  } catch (error) {
    signal.throwIfAborted()
    return { kind: 'again', reason: (error as Error).message }
  }
  const minutes = pauseMinutes(headers)
  if (status < 400) return { kind: 'answered', body, minutes }
  const fault = faultOf(body, status)
  if (fault.kind === 'token') throw new TokenExpired(fault.reason)
  if (fault.kind === 'limit') {
    throw new ProviderPaused(fault.reason, minutesFrom(clock, Math.max(minutes, 15)))
  }
  if (fault.kind === 'refused') throw new Error(fault.reason)
  return { kind: 'again', reason: fault.reason }
}

async function readJson(body: AsyncIterable<Buffer>): Promise<Record<string, unknown>> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of body) {
    bytes += part.length
    if (bytes > ANSWER_BYTES_MAX) throw new Error('The answer is too large')
    parts.push(part)
  }
  return JSON.parse(Buffer.concat(parts).toString()) as Record<string, unknown>
}

const TOKEN_CODES = new Set([102, 190, 463, 467])
const LIMIT_CODES = new Set([4, 17, 32, 613, 80_000, 80_003, 80_004])

/**
 * The meaning of the platform's error. Its message may name people, so only code and type are kept.
 */
function faultOf(body: Record<string, unknown>, status: number) {
  const {
    code = 0,
    type = 'error',
    is_transient: isTransient,
  } = (body['error'] ?? {}) as {
    code?: number
    type?: string
    is_transient?: boolean
  }
  const reason = `The Graph API answered ${status} (${type}, code ${code})`
  if (TOKEN_CODES.has(code)) {
    return {
      kind: 'token',
      reason: 'The access token has expired. Connect the account again',
    } as const
  }
  if (LIMIT_CODES.has(code) || status === 429) return { kind: 'limit', reason } as const
  if (status >= 500 || isTransient || code === 1 || code === 2) {
    return { kind: 'again', reason } as const
  }
  return { kind: 'refused', reason } as const
}

interface AccountRequest {
  readonly requested: StatRequest
  readonly account: string
}

interface Fetched {
  readonly insights: readonly Insight[]
  readonly minutes: number
}

async function fetchInsights(call: Call, { requested, account }: AccountRequest): Promise<Fetched> {
  const query = {
    level: LEVEL_WORDS[requested.level],
    time_range: JSON.stringify({ since: requested.from, until: requested.to }),
    time_increment: '1',
    fields: INSIGHT_FIELDS,
    limit: String(PAGE_ROWS),
  }
  const path = `${encodeURIComponent(account)}/insights`
  if (daysFrom(requested.from, requested.to).length <= DIRECT_DAYS)
    return readPages(call, path, query)
  const report = await makeReport(call, path, query)
  return readPages(call, `${encodeURIComponent(report)}/insights`, { limit: query.limit })
}

/** Orders a report that Meta makes in the background, and waits until it is ready. */
async function makeReport(call: Call, path: string, query: Readonly<Record<string, string>>) {
  const { body } = await call('POST', path, query)
  const id = body['report_run_id']
  if (typeof id !== 'string') throw new Error('The Graph API returned no report id')
  for (let looks = 0; looks < LOOKS_MAX; looks++) {
    const { body: run } = await call('GET', encodeURIComponent(id), {
      fields: 'async_status,async_percent_completion',
    })
    const status = run['async_status']
    if (status === 'Job Completed') return id
    if (status === 'Job Failed' || status === 'Job Skipped') break
    await call.pause()
  }
  throw new Error('The Graph API did not finish the report')
}

/** Reads page after page by cursor. Ignores the next-page addresses in the answer. */
async function readPages(
  call: Call,
  path: string,
  query: Readonly<Record<string, string>>,
): Promise<Fetched> {
  const insights: Insight[] = []
  let minutes = 0
  let after: string | undefined
  for (let pages = 0; pages < PAGES_MAX; pages++) {
    const answer = await call('GET', path, { ...query, ...(after && { after }) })
    const { data = [], paging } = answer.body as {
      data?: readonly Insight[]
      paging?: { next?: string; cursors?: { after?: string } }
    }
    insights.push(...data)
    minutes = Math.max(minutes, answer.minutes)
    after = paging?.next ? paging.cursors?.after : undefined
    if (!after) return { insights, minutes }
  }
  throw new Error(`The Graph API returned more than ${PAGES_MAX} pages`)
}
