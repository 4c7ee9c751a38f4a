import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/connect.ts'
import type { Ids } from '../../../platform/ids.ts'
import { forEachPart } from '../../../platform/set-aside/set-aside.ts'
import { notifyInterested } from '../../notices/index.ts'
import { judgeCampaign, judgeSync, TITLES } from './alert.ts'
import {
  closeStale,
  listCampaignsToday,
  type Judged,
  listWatchedConnections,
  type OpenedAlert,
  saveAlarms,
} from './store.ts'

export interface WatchDeps {
  readonly db: Database
  readonly clock: Clock
  readonly ids: Ids
}

const PAGE = 500

/** Checks every running campaign and failing connection. A second run changes nothing. */
export async function watch(deps: WatchDeps, signal: AbortSignal): Promise<void> {
  await watchCampaigns(deps, signal)
  await watchConnections(deps, signal)
  await closeStale(deps.db, deps.clock.now())
}

async function watchCampaigns(deps: WatchDeps, signal: AbortSignal): Promise<void> {
  const { db, clock } = deps
  const now = clock.now()
  for (let after = '0'; !signal.aborted;) {
    const page = await listCampaignsToday(db, { now, after, limit: PAGE })
    const judged = page.map(({ today, ...subject }) => ({ subject, alarms: judgeCampaign(today) }))
    await openAlerts(deps, 'campaign_id', judged)
    if (page.length < PAGE) return
    after = page.at(-1)!.key
  }
}

async function watchConnections(deps: WatchDeps, signal: AbortSignal): Promise<void> {
  const { db, clock } = deps
  const now = clock.now()
  for (let after = '0'; !signal.aborted;) {
    const page = await listWatchedConnections(db, { now, after, limit: PAGE })
    const judged = page.map((subject) => ({ subject, alarms: judgeSync(subject, now) }))
    await openAlerts(deps, 'connection_id', judged)
    if (page.length < PAGE) return
    after = page.at(-1)!.key
  }
}

const ENTITIES = { campaign_id: 'campaigns', connection_id: 'channel_connections' } as const

const keyOf = ({ subject }: Judged): number => Number(subject.key)

/** The notice is written in the same transaction. */
async function openAlerts(
  deps: WatchDeps,
  about: 'campaign_id' | 'connection_id',
  rows: readonly Judged[],
): Promise<void> {
  const { ids, clock } = deps
  const round = { reader: 'channels.watch', entity: ENTITIES[about], rows, keyOf }
  await forEachPart(deps, round, (judged) =>
    deps.db.transaction(async (db) => {
      for (const alert of await saveAlarms(db, { about, judged, ids, now: clock.now() })) {
        await notify({ ...deps, db }, about, alert)
      }
    }),
  )
}

/** Once a day per subject, however often the alert opens and closes. */
async function notify(
  deps: WatchDeps,
  about: 'campaign_id' | 'connection_id',
  { id, kind, reason, name, subjectId, advertiserId, accountKey }: OpenedAlert,
): Promise<void> {
  const day = deps.clock.now().toISOString().slice(0, 10)
  const key = about === 'campaign_id' ? 'campaignId' : 'connectionId'
  await notifyInterested(
    deps,
    {
      topic: kind,
      key: `alert:${kind}:${subjectId}:${day}`,
      subject: `${TITLES[kind]}: ${name}`,
      words: reason,
      data: { alertId: id, kind, reason, name, advertiserId, [key]: subjectId },
    },
    BigInt(accountKey),
  )
}
