import { pino } from 'pino'
import { Registry } from 'prom-client'
import { seededDraws } from '@placard/learning'
import { openServeIndex } from '../../apps/server/src/capabilities/contextual/serving/serve-index.ts'
import { auctionSite } from '../../apps/server/src/capabilities/contextual/auction/operations-auction.ts'
import {
  openAdProducts,
  openContentTaxonomy,
} from '../../apps/server/src/capabilities/contextual/classify/reference-data.ts'
import {
  plainBudgets,
  plainCounters,
  plainReaders,
} from '../../apps/server/src/capabilities/decisions/serving/testing-ports.ts'
import { Publishers } from '../../apps/server/src/capabilities/decisions/readers/publishers.ts'
import { createSealer, parseKeyRing } from '../../apps/server/src/capabilities/tracking/index.ts'
import { baseOf } from '../../apps/server/src/compose/base.ts'
import { composeDeciding } from '../../apps/server/src/compose/serving.ts'
import { cursorNow } from '../../apps/server/src/platform/database/ordered-feed.ts'
import { followersOf, mountRoutes } from '../../apps/server/src/platform/modules.ts'
import { readConfig } from '../../apps/server/src/settings/config.ts'
import { systemRandom } from '../../apps/server/src/platform/random.ts'
import { systemClock } from '../../apps/server/src/platform/clock.ts'
import { createHttp } from '../../apps/server/src/platform/http/server.ts'
import { idsFrom } from '../../apps/server/src/platform/ids.ts'
import { median, onScratchDatabase, type Scratch, say } from '../scratch.ts'
import { SECRETS } from '../secrets.ts'
import { fillSite } from './rows.ts'

const PAGES = 20_000
const WINDOWS = 7
const CALLS = 1_500
const clock = systemClock()
const ids = idsFrom({ clock, random: systemRandom })

/** How fast a site's pages are auctioned, and the cost of a page request with and without the serve index. */
export function measureServing() {
  return onScratchDatabase(async (scratch) => {
    say(`${PAGES} pages of one site`)
    const site = await fillSite(scratch, { pages: PAGES, campaigns: 200 })
    const deps = {
      db: scratch.db,
      clock,
      draws: seededDraws(1),
      taxonomy: openContentTaxonomy(),
      contentOf: openAdProducts().contentOf,
    }
    const startedMs = performance.now()
    const { pages } = await auctionSite(deps, { siteId: site.id })
    const seconds = (performance.now() - startedMs) / 1_000
    return {
      reauctionPagesPerSecond: Math.round(pages / seconds),
      serveRatio: await compareCalls(scratch, site.publicId),
    }
  })
}

/** CPU of a request for an indexed page, relative to an unknown page, window by window. */
async function compareCalls(scratch: Scratch, siteId: string): Promise<number> {
  const index = await openServeIndex({ db: scratch.db, clock, ids })
  const base = baseOf({
    ...scratch,
    config: readConfig({ LOG_LEVEL: 'silent' }),
    secrets: SECRETS,
    clock,
    random: systemRandom,
    log: pino({ level: 'silent' }),
    metrics: new Registry(),
  })
  await using stack = new AsyncDisposableStack()
  const from = await cursorNow(scratch.db)
  const { modules } = await composeDeciding(
    base,
    {
      budgets: plainBudgets(),
      counters: plainCounters(),
      readers: plainReaders,
      publishers: new Publishers(),
      recorder: { record() {}, flush: async () => {} },
      sealer: createSealer(parseKeyRing(`1:${'s'.repeat(40)}`), systemRandom),
      pages: index.memory,
    },
    stack,
  )
  const pages = { name: 'pages', followers: [index.subscriber] }
  const follower = followersOf([...modules, pages], { ...base, from })
  stack.defer(() => follower.stop())
  const http = await createHttp({
    log: base.log,
    ids,
    trustedProxies: [],
    permitsPerMinute: 1_000_000,
    identify: async () => undefined,
  })
  await mountRoutes(http, modules)
  await http.ready()
  const call = (path: string) => async () => {
    const payload = { url: `https://bench.example/${path}`, slots: [{ placement: 'bench-side' }] }
    await http.inject({ method: 'POST', url: `/api/v1/sites/${siteId}/serve`, payload })
  }
  const known = call('1')
  const unknown = call('nobody-knows')
  await cpuOf(known)
  await cpuOf(unknown)
  const ratios: number[] = []
  for (let window = 0; window < WINDOWS; window++) {
    const plain = await cpuOf(unknown)
    ratios.push((await cpuOf(known)) / plain)
  }
  await http.close()
  return Number(median(ratios).toFixed(3))
}

async function cpuOf(call: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage()
  for (let at = 0; at < CALLS; at++) await call()
  const { user, system } = process.cpuUsage(before)
  return user + system
}
