import { expect, test } from 'vitest'
import type { Jobs } from '../../../platform/jobs/job.ts'
import { aServingWorld } from '../../../testing/worlds/serving-world.ts'
import { silentLog } from '../../../testing/silent-log.ts'
import { crawlSitesJob } from './jobs.ts'

test('a site whose schedule cannot be parsed is set aside, and the others are still crawled', async () => {
  const world = await aServingWorld()
  const { deps, db, pool } = world
  const seedUrl = 'https://gazette.example/'
  const broken = await world.addSite({ domain: 'a.example', seedUrl, crawlCron: '99 99 * * *' })
  const due = await world.addSite({ domain: 'b.example', seedUrl, crawlCron: '* * * * *' })
  await pool.query(
    `insert into site_crawls (site_id, started_at) select id, timestamptz '2000-01-01' from sites`,
  )
  const ordered: unknown[] = []
  const jobs = {
    enqueue: async (_db: unknown, _job: unknown, order: unknown) => void ordered.push(order),
  } as unknown as Jobs
  const context = {
    log: silentLog(),
    signal: new AbortController().signal,
    progress: async () => {},
  }
  const round = () => crawlSitesJob.run({}, { db, clock: deps.clock, jobs }, context)
  const setAside = async () =>
    (await pool.query('select reader, entity, entity_id from set_aside_rows')).rows

  await round()
  expect(ordered).toEqual([{ payload: { siteKey: String(due.id) } }])
  expect(await setAside()).toEqual([
    { reader: 'contextual.crawl-sites', entity: 'sites', entity_id: String(broken.id) },
  ])

  await pool.query(`update sites set crawl_cron = '0 3 * * *' where id = ${broken.id}`)
  await round()
  expect(await setAside()).toEqual([])
  expect(ordered).toContainEqual({ payload: { siteKey: String(broken.id) } })
})
