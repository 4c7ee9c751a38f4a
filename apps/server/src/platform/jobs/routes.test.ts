import { Type } from 'typebox'
import { expect, onTestFinished, test, vi } from 'vitest'
import { addUser, signInAs, startServerOn } from '../../testing/server.ts'
import { freshDatabase } from '../../testing/services/database.ts'
import { openJobs } from './open.ts'
import { systemRandom } from '../random.ts'
import { bindJob, defineJob } from './job.ts'

const silent = { info: () => {}, warn: () => {}, error: () => {} }
const unobserved = { started: () => {}, succeeded: () => {}, failed: () => {} }

let isLucky = false
const job = defineJob({
  name: 'testing.run-it',
  payload: Type.Object({ name: Type.String() }),
  retries: 0,
  backoff: { firstSeconds: 1, maxSeconds: 1 },
  timeoutSeconds: 60,
  concurrency: 1,
  async run() {
    if (!isLucky) throw new Error('no luck')
  },
})

async function operations() {
  const connection = await freshDatabase()
  const jobs = await openJobs({
    config: {},
    db: connection.db,
    url: connection.url,
    log: silent,
    random: systemRandom,
    role: 'worker',
    jobs: [job],
    observer: unobserved,
  })
  onTestFinished(() => jobs.stop())
  const server = await startServerOn(connection, { jobs, knownJobs: [job] })
  const { email } = await addUser(server.deps, 'operator')
  const { headers } = await signInAs(server, email)
  const at = (path: string) => `/api/v1/admin/operations${path}`
  return {
    jobs,
    db: connection.db,
    get: async (path: string) => (await server.http.inject({ url: at(path), headers })).json(),
    post: async (path: string, payload: object) =>
      (await server.http.inject({ method: 'POST', url: at(path), headers, payload })).json(),
  }
}

test('a dead letter can be read, requeued and seen to succeed', async () => {
  isLucky = false
  const { jobs, db, get, post } = await operations()
  await jobs.work([bindJob(job, {})])
  await jobs.enqueue(db, job, { payload: { name: 'a' } })
  const [letter] = await vi.waitFor(async () => {
    const { items } = await get('/dead-letters')
    expect(items).toMatchObject([{ job: job.name, payload: { name: 'a' }, reason: 'no luck' }])
    return items
  }, 10_000)
  expect((await get('/queues')).items).toMatchObject([{ queue: 'testing', failed: 1 }])

  isLucky = true
  const answer = await post('/dead-letters/requeue', { ids: [letter.id] })

  expect(answer).toEqual({ items: [{ id: letter.id, outcome: 'requeued' }] })
  await vi.waitFor(async () => {
    const { items } = await get(`/jobs/${job.name}/runs`)
    expect(items[0]).toMatchObject({ state: 'succeeded' })
  }, 10_000)
  expect((await get('/dead-letters')).items).toEqual([])
})

test('dead letters are read page by page', async () => {
  isLucky = false
  const { jobs, db, get } = await operations()
  await jobs.work([bindJob(job, {})])
  for (const name of ['a', 'b', 'c']) await jobs.enqueue(db, job, { payload: { name } })
  await vi.waitFor(async () => expect((await get('/dead-letters')).items).toHaveLength(3), 10_000)

  const first = await get('/dead-letters?limit=2')
  const second = await get(`/dead-letters?limit=2&cursor=${first.nextCursor}`)

  const ids = [...first.items, ...second.items].map(({ id }) => id)
  expect(new Set(ids).size).toBe(3)
  expect(second.nextCursor).toBeUndefined()
})

test('a job that nobody knows has no runs', async () => {
  const { get } = await operations()

  expect(await get('/jobs/testing.unknown/runs')).toMatchObject({ code: 'JOB_NOT_FOUND' })
})
