import type { Http } from '../../apps/server/src/platform/http/server.ts'
import { median, percentile, rounded, say } from '../scratch.ts'
import { RARE_WORD, type Buyers } from './fill.ts'

/** The caller: the platform sees every account, a tenant its own. */
export type Asker = 'platform' | 'hugeTenant' | 'tenant' | 'smallTenant'

export interface ListCase {
  readonly name: string
  readonly query: string
  readonly asker?: Asker
}

const DEEP_PAGES = 250

/** Every query with an index of its own, and queries between two indexes. */
export function listCases({ advertiserIds }: Buyers): readonly ListCase[] {
  const [huge, usual, small] = [advertiserIds[0]!, advertiserIds[7]!, advertiserIds.at(-1)!]
  return [
    { name: 'unfiltered', query: '' },
    { name: 'largestPage', query: 'limit=200' },
    { name: 'oldestFirst', query: 'sort=createdAt' },
    { name: 'byName', query: 'sort=name' },
    { name: 'byPriority', query: 'sort=-priority' },
    { name: 'status', query: 'status=active' },
    { name: 'rareStatus', query: 'status=scheduled' },
    { name: 'absentStatus', query: 'status=cancelled' },
    { name: 'rareStatusByName', query: 'status=scheduled&sort=name' },
    { name: 'rareChannel', query: 'channel=meta' },
    { name: 'rareChannelByPriority', query: 'channel=meta&sort=priority' },
    { name: 'absentSource', query: 'source=system' },
    { name: 'twoRare', query: 'channel=meta&status=scheduled' },
    { name: 'externalId', query: 'externalId=ext-77777' },
    { name: 'advertiser', query: `advertiserId=${usual}` },
    { name: 'advertiserByName', query: `advertiserId=${usual}&sort=name` },
    { name: 'hugeAdvertiser', query: `advertiserId=${huge}` },
    { name: 'hugeAdvertiserByName', query: `advertiserId=${huge}&sort=-name` },
    { name: 'hugeAdvertiserRareStatus', query: `advertiserId=${huge}&status=scheduled` },
    { name: 'smallAdvertiserByName', query: `advertiserId=${small}&sort=name` },
    { name: 'advertiserRareStatus', query: `advertiserId=${usual}&status=scheduled` },
    { name: 'search', query: 'search=autumn' },
    { name: 'searchTwoWords', query: 'search=autumn%20shoes' },
    { name: 'searchBeginning', query: 'search=a' },
    { name: 'searchRare', query: `search=${RARE_WORD}` },
    { name: 'searchNothing', query: 'search=quixotic' },
    { name: 'searchByName', query: 'search=autumn&sort=name' },
    { name: 'searchFarEndByName', query: 'search=autumn&sort=-name' },
    { name: 'searchNearlyAll', query: 'search=s' },
    { name: 'searchNearlyAllByName', query: 'search=s&sort=-name' },
    { name: 'searchRareByPriority', query: `search=${RARE_WORD}&sort=-priority` },
    { name: 'searchInStatus', query: 'search=autumn&status=scheduled' },
    { name: 'hugeTenantByPriority', query: 'sort=-priority', asker: 'hugeTenant' },
    { name: 'hugeTenantSearch', query: 'search=winter&sort=name', asker: 'hugeTenant' },
    { name: 'tenant', query: '', asker: 'tenant' },
    { name: 'tenantByName', query: 'sort=name', asker: 'tenant' },
    { name: 'tenantRareStatus', query: 'status=scheduled', asker: 'tenant' },
    { name: 'tenantSearch', query: 'search=autumn', asker: 'tenant' },
    { name: 'tenantSearchNothing', query: 'search=quixotic', asker: 'tenant' },
    { name: 'smallTenantByPriority', query: 'sort=priority', asker: 'smallTenant' },
  ]
}

const WINDOWS = 5
const CALLS = 20

export type Ask = (list: ListCase) => Promise<void>

/** Median of the windows' 95th percentiles: a burst of other load spoils one window only. */
export async function measureLists(ask: Ask, cases: readonly ListCase[]) {
  const figures: Record<string, number> = {}
  for (const list of cases) {
    for (let call = 0; call < 3; call++) await ask(list)
    const windows: number[] = []
    for (let window = 0; window < WINDOWS; window++) {
      windows.push(percentile(await timesOf(() => ask(list)), 0.95))
    }
    figures[list.name] = rounded(median(windows))
    say(`${list.name.padEnd(24)} ${figures[list.name]} ms`)
  }
  return { ...figures, worst: Math.max(...Object.values(figures)) }
}

async function timesOf(work: () => Promise<void>): Promise<number[]> {
  const times: number[] = []
  for (let call = 0; call < CALLS; call++) {
    const start = performance.now()
    await work()
    times.push(performance.now() - start)
  }
  return times
}

/** Follows the cursor like a client, through half of the table. */
export async function deepCases(http: Http, headers: Record<string, string>): Promise<ListCase[]> {
  const cases: ListCase[] = []
  for (const [name, sort] of [
    ['deepPage', '-createdAt'],
    ['deepPageByName', 'name'],
  ] as const) {
    let cursor = ''
    for (let page = 0; page < DEEP_PAGES; page++) {
      const query = `limit=200&sort=${sort}${cursor && `&cursor=${cursor}`}`
      const response = await http.inject({ url: `/api/v1/admin/campaigns?${query}`, headers })
      cursor = response.json().nextCursor
    }
    cases.push({ name, query: `sort=${sort}&cursor=${cursor}` })
  }
  return cases
}
