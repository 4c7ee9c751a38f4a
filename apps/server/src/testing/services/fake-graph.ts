import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** What the fake Graph API does before it answers a call. */
export type Trouble = 'none' | 'used-up' | 'limit' | 'expired' | 'busy' | 'broken'

export interface FakeGraph {
  readonly baseUrl: string
  readonly calls: Readonly<Record<string, number>>
  /** The only token it accepts. */
  token: string
}

const LEVEL_IDS: Readonly<Record<string, string>> = {
  campaign: 'campaign_id',
  adset: 'adset_id',
  ad: 'ad_id',
}

interface Insights {
  readonly level: string
  readonly since: string
  readonly until: string
}

/** Impressions of an object on a day: stable across calls, different for each object and day. */
export const impressionsOf = (externalId: string, day: string): number =>
  1_000 + Number(externalId) * 100 + ((Date.parse(day) / 86_400_000) % 97)

/**
 * A Graph API that pages insights and makes reports in the background. Each call gets the next trouble
 * of a list.
 */
export async function startFakeGraph(
  externalIds: Readonly<Record<string, readonly string[]>>,
  nextTrouble: () => Trouble,
): Promise<FakeGraph> {
  const reports = new Map<string, Insights>()
  const calls = { insights: 0, reports: 0, limits: 0, expired: 0 }
  const graph = { baseUrl: '', calls, token: 'first' }

  const insights = ({ level, since, until }: Insights, after: string | null) => {
    const days = daysBetween(since, until)
    const rows = days.flatMap((day) =>
      externalIds[level]!.map((id) => ({
        [LEVEL_IDS[level]!]: id,
        date_start: day,
        spend: '1.50',
        impressions: String(impressionsOf(id, day)),
      })),
    )
    const at = Number(after ?? 0)
    const next = at + 7
    const paging = next < rows.length ? { cursors: { after: String(next) }, next: 'elsewhere' } : {}
    return { data: rows.slice(at, next), paging }
  }

  const answer = (message: IncomingMessage, response: ServerResponse) => {
    const url = new URL(message.url!, 'http://graph')
    const send = (status: number, body: object, headers: Record<string, string> = {}) => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers })
      response.end(JSON.stringify(body))
    }
    const trouble = nextTrouble()
    if (trouble === 'expired') graph.token = `renewed ${calls.expired + 1}`
    if (message.headers.authorization !== `Bearer ${graph.token}`) {
      calls.expired += 1
      return send(400, { error: { code: 190, type: 'OAuthException' } })
    }
    if (trouble === 'limit') {
      calls.limits += 1
      return send(400, { error: { code: 17, type: 'OAuthException' } })
    }
    if (trouble === 'busy') return send(503, { error: { code: 2, type: 'api' } })
    if (trouble === 'broken') return send(400, { error: { code: 100, type: 'api' } })
    const headers: Record<string, string> =
      trouble === 'used-up' ? { 'x-app-usage': JSON.stringify({ call_count: 80 }) } : {}
    const [, , thing, action] = url.pathname.split('/')
    if (action !== 'insights') return send(200, { async_status: 'Job Completed' }, headers)
    const report = reports.get(thing!)
    if (report) return send(200, insights(report, url.searchParams.get('after')), headers)
    const range = JSON.parse(url.searchParams.get('time_range')!) as {
      since: string
      until: string
    }
    const asked = { level: url.searchParams.get('level')!, ...range }
    if (message.method === 'POST') {
      calls.reports += 1
      const id = `90${calls.reports}`
      reports.set(id, asked)
      return send(200, { report_run_id: id }, headers)
    }
    calls.insights += 1
    return send(200, insights(asked, url.searchParams.get('after')), headers)
  }

  const server = createServer(answer)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  graph.baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v23.0`
  return graph
}

function daysBetween(since: string, until: string): readonly string[] {
  const days: string[] = []
  for (let ms = Date.parse(since); ms <= Date.parse(until); ms += 86_400_000) {
    days.push(new Date(ms).toISOString().slice(0, 10))
  }
  return days
}
