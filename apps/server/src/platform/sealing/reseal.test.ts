import { pino } from 'pino'
import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { SEALED_COLUMNS } from '../../compose/sealed.ts'
import { freshDatabase } from '../../testing/services/database.ts'
import { addAuthenticator } from '../../testing/factors.ts'
import { addUser, SECRETS, signInAs, startServer } from '../../testing/server.ts'
import type { Database } from '../database/connect.ts'
import { housekeepingWorker } from '../housekeeping.ts'
import type { JobContext } from '../jobs/job.ts'
import { type BoxSecrets, openSecretBox } from '../secret-box.ts'
import { resealSecrets } from './reseal.ts'
import { listSealed, saveSealed } from './store.ts'

const OLDER = SECRETS.encryptionSecret
const NEWER = 'v8Lq2Zc6Xb0Nm4Kj7Hg3Fd9Sa5Pt1RyW'
const SWAPPED: BoxSecrets = { encryptionSecret: NEWER, otherEncryptionSecret: OLDER }

const unhindered = () => ({ signal: new AbortController().signal, progress() {} })

const reseal = (db: Database, secrets: BoxSecrets, context: Partial<JobContext> = {}) =>
  resealSecrets({ db, secrets, sealedColumns: SEALED_COLUMNS }, { ...unhindered(), ...context })

/** An operator's webhook endpoint, recipient, connection and authenticator, each with a secret. */
async function withSecrets() {
  const server = await startServer()
  const { db } = server.connection
  const { email } = await addUser(server.deps, 'operator')
  const { account: buyer } = await addUser(server.deps, 'advertiser')
  const { headers } = await signInAs(server, email)
  const make = async (path: string, payload: object) => {
    const made = await server.http.inject({
      method: 'POST',
      url: `/api/v1/admin/${path}`,
      headers,
      payload,
    })
    expect(made.statusCode).toBe(201)
    return made.json<{ id: string; secret: string }>()
  }
  const { secret } = await make('webhook-endpoints', {
    name: 'Warehouse',
    url: 'https://warehouse.example/placard',
    eventTypes: ['campaign.state-changed.v1'],
  })
  await make('identity-providers', {
    slug: 'company',
    name: 'Company sign-in',
    issuer: 'https://login.example',
    clientId: 'placard',
    clientSecret: 'the-secret-of-the-client',
    emailDomains: ['company.example'],
  })
  await make('recipients', { name: 'Ops', mailTo: [email] })
  const advertiser = await make('advertisers', {
    name: 'Northwind',
    accountId: buyer.publicId,
    currency: 'EUR',
  })
  await make('connections', {
    advertiserId: advertiser.id,
    name: 'Meta',
    connectionType: 'AD_ACCOUNT',
    provider: 'meta',
    externalId: '1',
    credentials: 'EAAB-the-token-of-meta',
  })
  await addAuthenticator(server, headers)
  return { server, db, webhookSecret: secret }
}

/** One secret in each column. */
const ALL = SEALED_COLUMNS.length

/** What each column holds, opened with that secret alone; undefined where it cannot. */
async function openedWith(db: Database, secret: string) {
  const opened: Record<string, string | undefined> = {}
  for (const column of SEALED_COLUMNS) {
    const [row] = await listSealed(db, column, { after: '0', limit: 1 })
    const box = openSecretBox(secret, column.purpose)
    opened[column.purpose] = await box.open(row!.sealed).catch(() => undefined)
  }
  return opened
}

test('after the second step of a rotation the job seals every stored secret anew, and the old ENCRYPTION_SECRET can be dropped', async () => {
  const { db, webhookSecret, server } = await withSecrets()
  const before = await openedWith(db, OLDER)
  const metrics = new Registry()
  const listSinks = async () => []
  const { jobs } = housekeepingWorker({
    db,
    clock: server.deps.clock,
    metrics,
    listSinks,
    secrets: SWAPPED,
    sealedColumns: SEALED_COLUMNS,
  })
  const job = jobs!.find(({ definition }) => definition.name === 'platform.reseal-secrets')!

  await job.run({}, { ...unhindered(), log: pino({ level: 'silent' }) })

  expect(before).toMatchObject({ webhooks: webhookSecret, channels: 'EAAB-the-token-of-meta' })
  expect(await openedWith(db, NEWER)).toEqual(before)
  expect(Object.values(await openedWith(db, OLDER))).toEqual(Array(ALL).fill(undefined))
  expect(await metrics.metrics()).toMatch(
    new RegExp(
      String.raw`placard_sealed_secrets\{state="current"\} ${ALL}\n.*placard_sealed_secrets\{state="unreadable"\} 0`,
    ),
  )
})

test('a second round finds nothing to do, and without the old secret nothing is unreadable', async () => {
  const { db } = await withSecrets()

  expect(await reseal(db, SWAPPED)).toEqual({ current: 0, older: ALL, unreadable: 0 })
  expect(await reseal(db, SWAPPED)).toEqual({ current: ALL, older: 0, unreadable: 0 })
  expect(await reseal(db, { encryptionSecret: NEWER })).toMatchObject({ unreadable: 0 })
})

test('an old secret that is dropped too early is counted and changes nothing, so that giving it again helps', async () => {
  const { db } = await withSecrets()

  expect(await reseal(db, { encryptionSecret: NEWER })).toMatchObject({ unreadable: ALL })
  expect(await reseal(db, SWAPPED)).toMatchObject({ older: ALL })
})

test('a round that is cut off keeps what it has done, and the next one does the rest', async () => {
  const { db } = await withSecrets()
  await addRecipients(db, 1_200)
  const stop = new AbortController()
  const seen: number[] = []
  const progress = ({ done, total }: { done: number; total: number }) => {
    seen.push(done)
    expect(total).toBe(1_200 + ALL)
    if (done > 500) stop.abort()
  }

  await expect(reseal(db, SWAPPED, { signal: stop.signal, progress })).rejects.toThrow('aborted')
  const rest = await reseal(db, SWAPPED)

  expect(seen).toEqual([1, 501])
  expect(rest).toEqual({ current: 501, older: 699 + ALL, unreadable: 0 })
})

test('a secret that somebody changes during a round stays as they sealed it', async () => {
  const { db } = await withSecrets()
  const column = SEALED_COLUMNS[0]!
  const [row] = await listSealed(db, column, { after: '0', limit: 1 })

  await saveSealed(db, column, [{ id: row!.id, before: 'what it was', sealed: 'what we made' }])

  expect(await listSealed(db, column, { after: '0', limit: 1 })).toEqual([row])
})

test('every column of sealed secrets is listed, so that no rotation leaves one behind', async () => {
  const { pool } = await freshDatabase()
  const { rows } = await pool.query<{ name: string }>(
    `select table_name || '.' || column_name as name from information_schema.columns
      where table_schema = 'public' and column_name like 'sealed%'`,
  )

  expect(SEALED_COLUMNS.map(({ table, column }) => `${table}.${column}`).toSorted()).toEqual(
    rows.map(({ name }) => name).toSorted(),
  )
})

/** Copies of the recipient, whose secret is sealed. */
const addRecipients = (db: Database, count: number) =>
  db.execute(
    `insert into recipients (public_id, account_id, name, mail_to, sealed_secret, created_at, updated_at)
     select gen_random_uuid(), account_id, name, mail_to, sealed_secret, created_at, updated_at
       from recipients, generate_series(1, ${count})`,
  )
