import { sql } from 'drizzle-orm'
import { expect, test, vi } from 'vitest'
import { freshDatabase } from '../../testing/services/database.ts'
import { allowed, serverWith } from '../../testing/http.ts'
import { actorOf, addAccount, depsOn } from '../../testing/world.ts'
import { manualTimers } from '../background/manual-timers.ts'
import type { Database } from '../database/connect.ts'
import { forgetSilentNodesJob } from './jobs.ts'
import { keepAlive } from './keep-alive.ts'
import { nodeRoutes } from './routes.ts'
import { listNodes } from './store.ts'

const API = '01890000-0000-7000-8000-000000000001'
const WORKER = '01890000-0000-7000-8000-000000000002'
const INDEX = { version: 7, ads: 3, lagSeconds: 0.01, ageSeconds: 1 }

function nodeOn(db: Database, id: string) {
  const timers = manualTimers()
  const node = keepAlive({
    db,
    timers,
    id,
    role: id === API ? 'api' : 'worker',
    version: '1.2.3',
    uptimeSeconds: () => 60,
    facts: () => ({ memoryBytes: 1_000, ...(id === API && { index: INDEX }) }),
    onError: (error) => {
      throw error
    },
  })
  return { ...node, timers }
}

const idsIn = async (db: Database) => (await listNodes(db)).map(({ id }) => id).toSorted()

const silence = (db: Database, id: string, seconds: number) =>
  db.execute(
    sql`update nodes set last_seen_at = now() - make_interval(secs => ${seconds}) where id = ${id}`,
  )

test('a node is listed while it runs, and is gone when it has ended in order', async () => {
  const { db } = await freshDatabase()
  const api = nodeOn(db, API)
  await vi.waitFor(async () => expect(await idsIn(db)).toEqual([API]))

  await api.stop()

  expect(await idsIn(db)).toEqual([])
})

test('a node that was taken for dead and lives says so again', async () => {
  const { db } = await freshDatabase()
  const api = nodeOn(db, API)
  await vi.waitFor(async () => expect(await idsIn(db)).toEqual([API]))
  await silence(db, API, 4_000)
  await forgetSilentNodesJob.run({}, { db }, { log: { info: () => {} } } as never)
  expect(await idsIn(db)).toEqual([])

  await vi.waitFor(async () => {
    api.timers.pass(10_000)
    expect(await idsIn(db)).toEqual([API])
  })
  await api.stop()
})

test('an operator sees every node, who is silent, and which one answers', async () => {
  const { db } = await freshDatabase()
  const deps = depsOn({ db })
  const nodes = [nodeOn(db, API), nodeOn(db, WORKER)]
  await vi.waitFor(async () => expect(await idsIn(db)).toEqual([API, WORKER]))
  await silence(db, WORKER, 31)
  const server = await serverWith(deps, (http) => nodeRoutes(http, { ...deps, nodeId: API }))
  server.actAs(allowed(actorOf(await addAccount(deps, 'platform')), 'operations:read'))

  const { items } = (await server.http.inject({ url: '/api/v1/admin/nodes' })).json()

  expect(items).toHaveLength(2)
  expect(items).toContainEqual(
    expect.objectContaining({
      id: API,
      role: 'api',
      version: '1.2.3',
      state: 'alive',
      isAnswering: true,
      memoryBytes: 1_000,
      index: INDEX,
    }),
  )
  expect(items).toContainEqual(
    expect.objectContaining({ id: WORKER, state: 'silent', isAnswering: false, index: null }),
  )
  for (const node of nodes) await node.stop()
})
