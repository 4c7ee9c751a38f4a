import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { DAY_SECONDS } from '@placard/calendar'
import { expect, onTestFinished, test, vi } from 'vitest'
import { JOBS } from '../../../compose/jobs.ts'
import { MIGRATIONS } from '../../../platform/database/migrate.ts'
import { createFetcher } from '../../../platform/http/fetcher.ts'
import { openJobs } from '../../../platform/jobs/open.ts'
import { crawlSitesJob } from '../../contextual/pages/jobs.ts'
import { addKey, startServerOn, testBase } from '../../../testing/server.ts'
import { freshDatabase } from '../../../testing/services/database.ts'
import { type Answering, aWebSite } from '../../../testing/services/web-site.ts'
import { addAccount } from '../../../testing/world.ts'
import { silentLog } from '../../../testing/silent-log.ts'
import { aServingWorld } from '../../../testing/worlds/serving-world.ts'
import { checkDomainJob, checkDomainsJob } from './jobs.ts'
import { createResolver, lookAt } from './look.ts'
import { aNameServer } from './testing-name-server.ts'

vi.setConfig({ testTimeout: 60_000 })

const ADMIN = '/api/v1/admin'
const unobserved = { started: () => {}, succeeded: () => {}, failed: () => {} }
interface Caller {
  readonly account: { readonly id: bigint; readonly publicId: string }
  readonly headers: Record<string, string>
}

const context = { log: silentLog(), signal: new AbortController().signal, progress() {} }

/** The API with a queue, two publishers, and a worker that asks our name server and our web site. */
async function aPlatform(answer: Answering = (_, response) => void response.writeHead(404).end()) {
  const connection = await freshDatabase()
  const { base, deps } = await testBase(connection)
  const jobs = await openJobs({ ...base, role: 'enqueuer', jobs: JOBS, observer: unobserved })
  onTestFinished(() => jobs.stop())
  const server = await startServerOn(connection, { deps, jobs })
  const records = new Map<string, readonly string[]>()
  const web = await aWebSite(answer)
  const fetcher = createFetcher({ allowedHosts: [web.host] })
  onTestFinished(() => fetcher.close())
  const looking = { fetcher, resolveTexts: createResolver([await aNameServer(records)]) }
  const checking = {
    ...deps,
    look: (claim: Parameters<typeof lookAt>[1]) => lookAt(looking, claim),
  }

  /** Keys outlive the days that the tests let pass. */
  const aCaller = async (kind: 'platform' | 'publisher', ...more: string[]): Promise<Caller> => {
    const account = await addAccount(deps, kind)
    const scopes = ['sites:read', 'sites:write', ...more]
    return { account, headers: await addKey({ deps }, { account, scopes }) }
  }
  const operator = await aCaller('platform', 'operations:write', 'audit:read')
  const call = async (
    method: 'GET' | 'POST' | 'PATCH',
    path: string,
    { as = operator, body }: { as?: Caller; body?: object } = {},
  ) => {
    const answer = await server.http.inject({
      method,
      url: path.startsWith('/api') ? path : `${ADMIN}${path}`,
      headers: as.headers,
      ...(body && { payload: body }),
    })
    return { status: answer.statusCode, body: answer.body && answer.json() }
  }
  const aPublisher = async () => {
    const user = await aCaller('publisher')
    const made = await call('POST', '/publishers', {
      as: user,
      body: { name: 'Gazette', accountId: user.account.publicId, currency: 'EUR' },
    })
    const addSite = async (given: object = {}, as: Caller = user) => {
      const body = { publisherId: made.body.id, name: 'News', domain: 'news.example', ...given }
      const site = await call('POST', '/sites', { as, body })
      return { ...site.body, id: String(site.body.id) }
    }
    return { ...user, publisherId: String(made.body.id), addSite }
  }
  const { pool } = connection
  return {
    ...deps,
    pool,
    call,
    operator,
    records,
    web,
    aPublisher,
    /** Puts the site's line into DNS. */
    async publish(siteId: string, as: Caller) {
      const { record } = (await call('GET', `/sites/${siteId}/domain`, { as })).body
      records.set(record.name, [record.line])
    },
    /** A click on "Check now", and the worker's look. */
    async check(siteId: string, as: Caller) {
      const ordered = await call('POST', `/sites/${siteId}/domain/check`, { as })
      const { rows } = await pool.query('select id from sites where public_id = $1', [siteId])
      await checkDomainJob.run({ siteKey: String(rows[0].id) }, checking, context)
      deps.clock.advance(60)
      return { ordered, after: (await call('GET', `/sites/${siteId}/domain`, { as })).body }
    },
    /** What the worker orders by itself, in this minute. */
    async ordered() {
      const orders: string[] = []
      const enqueue = async (_db: unknown, { name }: { name: string }) => void orders.push(name)
      const ticking = { ...deps, jobs: { ...jobs, enqueue: enqueue as typeof jobs.enqueue } }
      await checkDomainsJob.run({}, ticking, context)
      await crawlSitesJob.run({}, ticking, context)
      return orders
    },
  }
}

test('a publisher proves its domain by a TXT record, and only then is the site read', async () => {
  const { call, check, publish, aPublisher, ordered } = await aPlatform()
  const gazette = await aPublisher()
  const site = await gazette.addSite({ seedUrl: 'https://news.example/' })

  expect(site).toMatchObject({ domainState: 'unproven', domainProvenAt: null })
  expect(await ordered()).toEqual(['inventory.check-domain'])
  const refused = { status: 409, body: { code: 'SITE_DOMAIN_UNPROVEN' } }
  expect(await call('POST', `/sites/${site.id}/crawl`, { as: gazette })).toMatchObject(refused)
  const body = { url: 'https://news.example/a' }
  expect(await call('POST', `/sites/${site.id}/pages`, { as: gazette, body })).toMatchObject(
    refused,
  )

  const { ordered: order, after: missed } = await check(site.id, gazette)
  expect(order).toMatchObject({ status: 202, body: { isChecking: true } })
  expect(missed).toMatchObject({ state: 'unproven', isChecking: false })
  expect(missed.faults[0]).toBe('_placard.news.example has no TXT record.')

  await publish(site.id, gazette)
  const { after } = await check(site.id, gazette)
  expect(after).toMatchObject({ state: 'proven', provenBy: 'dns', faults: [] })
  expect((await call('POST', `/sites/${site.id}/crawl`, { as: gazette })).status).toBe(202)
  expect(await ordered()).toEqual(['contextual.crawl-site'])
})

test('a file proves a domain, unless it has another line or leads elsewhere', async () => {
  let line = 'placard=0000'
  let location: string | undefined
  const { check, web, call, aPublisher } = await aPlatform((_, response) =>
    location === undefined
      ? response.writeHead(200, { 'content-type': 'text/plain' }).end(`# ours\r\n${line}\r\n`)
      : response.writeHead(302, { location }).end(),
  )
  const gazette = await aPublisher()
  const site = await gazette.addSite({ domain: 'localhost', seedUrl: `${web.origin}/` })
  const { files } = (await call('GET', `/sites/${site.id}/domain`, { as: gazette })).body
  expect(files).toEqual([{ url: `${web.origin}/.well-known/placard.txt`, line: files[0].line }])

  expect((await check(site.id, gazette)).after.faults).toEqual([
    `${files[0].url} does not have the line.`,
  ])
  line = files[0].line
  location = '/somebodys-upload.txt'
  expect((await check(site.id, gazette)).after.state).toBe('unproven')
  location = undefined
  expect((await check(site.id, gazette)).after).toMatchObject({ provenBy: 'file', faults: [] })
})

test('two publishers never hold one domain, and an operator decides by hand with a reason', async () => {
  const { call, check, publish, operator, aPublisher } = await aPlatform()
  const [gazette, squatter] = [await aPublisher(), await aPublisher()]
  const [own, claimed] = [await gazette.addSite(), await squatter.addSite()]
  await publish(own.id, gazette)
  await check(own.id, gazette)

  await publish(claimed.id, squatter)
  expect((await check(claimed.id, squatter)).after).toMatchObject({
    state: 'unproven',
    faults: ['Another publisher has proven this domain. Ask the operator of the platform.'],
  })
  const body = { reason: 'Seen in their contract' }
  const confirm = (siteId: string, as = operator) =>
    call('POST', `/sites/${siteId}/domain/confirm`, { as, body })
  expect(await confirm(claimed.id)).toMatchObject({
    status: 409,
    body: { code: 'SITE_DOMAIN_HELD' },
  })
  expect((await confirm(claimed.id, squatter)).status).toBe(403)

  await call('POST', `/sites/${own.id}/domain/withdraw`, { body: { reason: 'Sold' } })
  expect(await confirm(claimed.id)).toMatchObject({ status: 200, body: { provenBy: 'operator' } })
  const log = await call('GET', '/audit-log?action=site.confirm-domain')
  expect(log.body.items).toMatchObject([{ entityId: claimed.id, after: body }])
})

test('a changed domain is proven anew, and what an operator makes is confirmed by that', async () => {
  const { call, check, publish, operator, aPublisher } = await aPlatform()
  const gazette = await aPublisher()
  const site = await gazette.addSite()
  await publish(site.id, gazette)
  await check(site.id, gazette)

  const move = (domain: string, as: Caller = gazette) =>
    call('PATCH', `/sites/${site.id}`, { as, body: { domain } })
  expect((await move('WWW.news.example')).body.domainState).toBe('proven')
  expect((await move('bank.example')).body.domainState).toBe('unproven')
  expect((await move('other.example', operator)).body).toMatchObject({ domainProvenBy: 'operator' })
  const given = await gazette.addSite({ domain: 'third.example' }, operator)
  expect(given).toMatchObject({ domainState: 'proven', version: 1 })
})

test('a proof that is gone for three days is over, and its publisher is told', async () => {
  const { call, check, publish, records, clock, pool, aPublisher } = await aPlatform()
  const gazette = await aPublisher()
  const site = await gazette.addSite()
  await pool.query(
    `insert into recipients (public_id, account_id, name, mail_to, confirmed_mail, topics, sealed_secret, created_at, updated_at)
     values (gen_random_uuid(), $1, 'Ada', '{ada@news.example}', '{ada@news.example}', '{site-domain}', '', now(), now())`,
    [gazette.account.id],
  )
  await publish(site.id, gazette)
  await check(site.id, gazette)

  records.clear()
  expect((await check(site.id, gazette)).after).toMatchObject({ state: 'proven' })
  clock.advance(2 * DAY_SECONDS)
  expect((await check(site.id, gazette)).after).toMatchObject({ state: 'proven' })
  clock.advance(DAY_SECONDS)
  expect((await check(site.id, gazette)).after).toMatchObject({ state: 'unproven' })
  const told = await pool.query('select subject from notices')
  expect(told.rows).toEqual([{ subject: 'news.example is no longer proven' }])
  expect((await call('GET', '/sites?domainState=unproven')).body.items).toHaveLength(1)
})

test('sites from before are proven by the upgrade; of several on one domain, the first', async () => {
  const { pool, addSite, publisher, deps } = await aServingWorld()
  const other = await addAccount(deps, 'publisher')
  await pool.query(
    `insert into publishers (public_id, account_id, name, currency, created_at, updated_at)
     values (gen_random_uuid(), $1, 'Other', 'EUR', now(), now())`,
    [other.id],
  )
  await pool.query(`drop index sites_proven_domain_key`)
  const unowned = { domainProvenAt: null, domainProvenBy: null }
  const publisherId = publisher.id + 1n
  for (const domain of ['a.example', 'localhost']) {
    await addSite({ ...unowned, domain })
    await addSite({ ...unowned, domain, publisherId })
  }
  await pool.query(`update sites set deleted_at = now() where id = (select min(id) from sites)`)
  await addSite({ ...unowned, domain: 'b.example' })
  await addSite({ ...unowned, domain: 'b.example', publisherId })
  await pool.query(`alter table sites drop column domain_state, drop column domain_token,
    drop column domain_proven_at, drop column domain_proven_by`)
  await pool.query('drop table site_domain_checks')

  await pool.query(await readFile(path.join(MIGRATIONS, '0370_site_domains.sql'), 'utf8'))

  const { rows } = await pool.query('select domain, domain_proven_by from sites order by id')
  expect(rows.map(({ domain, domain_proven_by: by }) => `${domain} ${by}`)).toEqual([
    'a.example null',
    'a.example upgrade',
    'localhost upgrade',
    'localhost upgrade',
    'b.example upgrade',
    'b.example null',
  ])
})
