import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/connect.ts'
import type { SecretBox } from '../../../platform/secret-box.ts'
import type { Level, ProviderName, StatAnswer, StatProvider } from '../providers/stat.ts'
import { recordLevel, recordPause } from './store-requests.ts'
import { rollUpSellpages } from './store-sellpages.ts'
import {
  findAdvertiserKey,
  insertRaw,
  listConnections,
  lockLevel,
  rollUpDays,
  type SyncedConnection,
} from './store-sync.ts'

export type Providers = Readonly<Record<ProviderName, StatProvider>>

export interface SyncDeps {
  readonly db: Database
  readonly clock: Clock
  readonly secretBox: SecretBox
  readonly providers: Providers
}

export interface SyncOrder {
  readonly advertiserId: string
  readonly level: Level
  /** UTC days, both inclusive. */
  readonly from: string
  readonly to: string
  /** Providers to call. Default: all. */
  readonly providers?: readonly ProviderName[] | undefined
}

export interface SyncResult {
  readonly rawInserted: number
  readonly dailyUpserted: number
  readonly sellpageUpserted: number
  /** Set if an account could not be called because it is paused until then. */
  readonly waitsUntil?: Date | undefined
}

const EVERYBODY: readonly ProviderName[] = ['mock', 'onsite', 'meta']
const NOTHING: SyncResult = { rawInserted: 0, dailyUpserted: 0, sellpageUpserted: 0 }

/**
 * Syncs one level of an advertiser from each of its accounts, and rolls its days up again. The
 * figures of one account are kept if another fails. Throws the failure at the end.
 */
export async function syncLevel(
  deps: SyncDeps,
  order: SyncOrder,
  signal: AbortSignal,
): Promise<SyncResult> {
  const { db, clock } = deps
  const advertiserKey = await findAdvertiserKey(db, order.advertiserId)
  if (!advertiserKey) return NOTHING
  const query = { ...order, providers: order.providers ?? EVERYBODY, now: clock.now() }
  const failures: unknown[] = []
  let result = NOTHING
  for (const connection of await listConnections(db, query)) {
    try {
      result = add(result, await syncConnection(deps, { advertiserKey, order, connection, signal }))
    } catch (error) {
      failures.push(error)
      const note = { level: order.level, failure: wordsOf(error), now: clock.now() }
      await recordLevel(db, connection.key, note)
    }
  }
  if (failures.length > 0) throw failures[0]
  return result
}

/** A paused connection is a wait, neither a success nor a failure. */
async function syncConnection(
  deps: SyncDeps,
  { advertiserKey, ...asking }: SyncRequest & Pick<Keeping, 'advertiserKey'>,
): Promise<SyncResult> {
  const { order, connection } = asking
  if (connection.restsUntil) return { ...NOTHING, waitsUntil: connection.restsUntil }
  try {
    const answer = await ask(deps, asking)
    return await keep(deps, { advertiserKey, order, connection, answer })
  } catch (error) {
    if (!(error instanceof ProviderPaused)) throw error
    await recordPause(deps.db, connection.key, error.until)
    return { ...NOTHING, waitsUntil: error.until }
  }
}

/** The platform wants no calls for a while. */
export class ProviderPaused extends Error {
  readonly until: Date
  constructor(reason: string, until: Date) {
    super(reason)
    this.until = until
  }
}

interface SyncRequest {
  readonly order: SyncOrder
  readonly connection: SyncedConnection
  readonly signal: AbortSignal
}

async function ask(
  { clock, secretBox, providers }: SyncDeps,
  request: SyncRequest,
): Promise<StatAnswer> {
  const { order, connection, signal } = request
  const { sealedCredentials, externalId, currency, entities } = connection
  const credentials = sealedCredentials && (await secretBox.open(sealedCredentials))
  return providers[connection.provider].fetchStats({
    ...order,
    entities,
    fetchedAt: clock.now(),
    account: { externalId, currency, credentials: credentials || undefined },
    signal,
  })
}

interface Keeping {
  readonly advertiserKey: string
  readonly order: SyncOrder
  readonly connection: SyncedConnection
  readonly answer: StatAnswer
}

/** Answers, days and sellpages commit together: a sync that crashes has changed nothing. */
async function keep(deps: SyncDeps, { advertiserKey, order, connection, answer }: Keeping) {
  const { level } = order
  const { provider, entities } = connection
  const { adSource, days } = deps.providers[provider]
  const written = { advertiserKey, level, provider, adSource, entities }
  return deps.db.transaction(async (db): Promise<SyncResult> => {
    await lockLevel(db, advertiserKey, level)
    await insertRaw(db, written, answer.rows)
    const dailyUpserted = await rollUpDays(db, written, { ...order, days })
    const { restsUntil } = answer
    await recordLevel(db, connection.key, { level, restsUntil, now: deps.clock.now() })
    const sellpageUpserted =
      level === 'CAMPAIGN' ? await rollUpSellpages(db, advertiserKey, order) : 0
    return { rawInserted: answer.rows.length, dailyUpserted, sellpageUpserted }
  })
}

/** Each roll-up of sellpages covers the whole advertiser, so the last one counts. */
const add = (so: SyncResult, more: SyncResult): SyncResult => ({
  rawInserted: so.rawInserted + more.rawInserted,
  dailyUpserted: so.dailyUpserted + more.dailyUpserted,
  sellpageUpserted: more.sellpageUpserted,
  waitsUntil: laterOf(so.waitsUntil, more.waitsUntil),
})

const laterOf = (one: Date | undefined, other: Date | undefined): Date | undefined =>
  one && other ? (one > other ? one : other) : (one ?? other)

const WORDS_MAX = 300
export const wordsOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).slice(0, WORDS_MAX)
