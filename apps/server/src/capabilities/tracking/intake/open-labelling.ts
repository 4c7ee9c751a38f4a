import { type ProcessBase, warnOf } from '../../../platform/module.ts'
import { StartRefused } from '../../../platform/problem.ts'
import type { RedisConnection } from '../../../platform/redis/connect.ts'
import type { Config } from '../../../settings/config.ts'
import type { Secrets } from '../../../settings/secrets.ts'
import { parseLimits } from '../rates/limits.ts'
import { createSharedRates, keepExchanging, type SharedRates } from '../rates/shared-rates.ts'
import { keepBlockedSessions } from './blocked-sessions.ts'
import { keepDataCentres } from './data-centres.ts'
import { createRequestLabeller, type LabelSettings } from './labels.ts'

export interface LabellingDeps extends Pick<
  ProcessBase,
  'db' | 'clock' | 'timers' | 'log' | 'node'
> {
  readonly config: Pick<
    Config,
    | 'RATE_PER_READER'
    | 'RATE_PER_DEVICE'
    | 'RATE_PER_ADDRESS'
    | 'RATE_PER_SITE'
    | 'DATA_CENTRE_RANGES_PATH'
  >
  readonly secrets: Pick<Secrets, 'userKeySecret'>
  /** Set if there are several nodes. */
  readonly redis: RedisConnection | undefined
}

/** What labels the requests of a node. The stack ends what it follows. */
export async function openLabelling(deps: LabellingDeps, opening: AsyncDisposableStack) {
  const { db, timers, config } = deps
  const onError = warnOf(deps, 'blocked sessions are not known')
  const blocked = await keepBlockedSessions({ db, timers, onError })
  opening.defer(() => blocked.stop())
  const dataCentres = await openDataCentres(deps)
  opening.defer(() => dataCentres.stop())
  const shared = shareRates(deps, opening)
  return createRequestLabeller({
    ...(shared && { ratesOf: shared.ratesOf }),
    limits: limitsOf(config),
    isDataCentre: dataCentres.has,
    isBlockedSession: blocked.isBlocked,
  })
}

const limitsOf = (config: LabellingDeps['config']): LabelSettings['limits'] => ({
  reader: parseLimits(config.RATE_PER_READER),
  device: parseLimits(config.RATE_PER_DEVICE),
  address: parseLimits(config.RATE_PER_ADDRESS),
  site: parseLimits(config.RATE_PER_SITE),
})

/** Rates of all nodes together, if there are several. */
function shareRates(deps: LabellingDeps, opening: AsyncDisposableStack): SharedRates | undefined {
  const { redis, secrets, timers } = deps
  if (redis === undefined) return undefined
  const shared = createSharedRates({ ...deps, redis, secret: secrets.userKeySecret })
  const onError = warnOf(deps, 'rates are not shared with the other nodes')
  const exchanging = keepExchanging(shared, { timers, onError })
  opening.defer(() => exchanging.stop())
  return shared
}

async function openDataCentres(deps: LabellingDeps) {
  const { timers, config } = deps
  const file = config.DATA_CENTRE_RANGES_PATH
  const onError = warnOf(deps, 'the list of data centres was not read again')
  try {
    return await keepDataCentres({ file, timers, onError })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new StartRefused(`DATA_CENTRE_RANGES_PATH ${file} cannot be used: ${reason}.`)
  }
}
