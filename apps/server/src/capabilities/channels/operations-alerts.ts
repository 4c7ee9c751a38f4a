import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/connect.ts'
import type { Ids } from '../../platform/ids.ts'
import { judgeCampaign, judgeSync } from './alert.ts'
import {
  closeStale,
  listCampaignsToday,
  listWatchedConnections,
  saveAlarms,
} from './store-alerts.ts'

export interface WatchDeps {
  readonly db: Database
  readonly clock: Clock
  readonly ids: Ids
}

const PAGE = 500

/** Looks at every running campaign and failing connection; twice in a row changes nothing. */
export async function watch(deps: WatchDeps, signal: AbortSignal): Promise<void> {
  await watchCampaigns(deps, signal)
  await watchConnections(deps, signal)
  await closeStale(deps.db, deps.clock.now())
}

async function watchCampaigns({ db, clock, ids }: WatchDeps, signal: AbortSignal): Promise<void> {
  const now = clock.now()
  for (let after = '0'; !signal.aborted;) {
    const page = await listCampaignsToday(db, { now, after, limit: PAGE })
    const judged = page.map(({ today, ...subject }) => ({ subject, alarms: judgeCampaign(today) }))
    await saveAlarms(db, { about: 'campaign_id', judged, ids, now })
    if (page.length < PAGE) return
    after = page.at(-1)!.key
  }
}

async function watchConnections({ db, clock, ids }: WatchDeps, signal: AbortSignal): Promise<void> {
  const now = clock.now()
  for (let after = '0'; !signal.aborted;) {
    const page = await listWatchedConnections(db, { now, after, limit: PAGE })
    const judged = page.map((subject) => ({ subject, alarms: judgeSync(subject, now) }))
    await saveAlarms(db, { about: 'connection_id', judged, ids, now })
    if (page.length < PAGE) return
    after = page.at(-1)!.key
  }
}
