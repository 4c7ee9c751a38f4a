import { setTimeout } from 'node:timers/promises'
import {
  findLastTick,
  metaProvider,
  mockProvider,
  onsiteProvider,
} from '../capabilities/channels/index.ts'
import type { Surroundings } from './api.ts'
import { openSecretBox } from '../platform/secret-box.ts'

const META_TIMEOUT_MS = 30_000
const TICK_AGE_MAX_MS = 15 * 60_000

/** What opens other platforms' accounts is sealed apart. */
export const channelDeps = ({ config, secrets }: Pick<Surroundings, 'config' | 'secrets'>) => ({
  secretBox: openSecretBox(secrets.encryptionSecret, 'channels'),
  isMockAllowed: config.PLACARD_MODE === 'demo' || config.MOCK_PROVIDER === 'allowed',
})

/** Whoever tells figures. */
export const providersOf = ({
  config,
  db,
  clock,
}: Pick<Surroundings, 'config' | 'db' | 'clock'>) => ({
  mock: mockProvider,
  onsite: onsiteProvider({ db }),
  meta: metaProvider({
    clock,
    baseUrl: config.META_GRAPH_URL,
    timeoutMs: META_TIMEOUT_MS,
    pause: async (ms, signal) => {
      await setTimeout(ms, undefined, { signal })
    },
  }),
})

/** Whether syncs are handed out as they should; a worker that has just started has its time. */
export function isTicking({ db, clock }: Pick<Surroundings, 'db' | 'clock'>) {
  const startedMs = clock.now().getTime()
  return async (): Promise<boolean> => {
    const tickedMs = (await findLastTick(db))?.getTime() ?? 0
    return clock.now().getTime() - Math.max(tickedMs, startedMs) <= TICK_AGE_MAX_MS
  }
}
