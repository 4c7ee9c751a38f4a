import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { JOBS } from '../compose/jobs.ts'
import { composeServing } from '../compose/serving.ts'
import { workerModules } from '../compose/worker.ts'
import { openJobs } from '../platform/jobs/open.ts'
import { startModules, stoppedBy } from '../platform/modules.ts'
import type { Known, Operation } from '../testing/walking/openapi.ts'
import { type Answer, type Caller, operationNamed, requestOf } from '../testing/walking/caller.ts'
import { freshDatabase } from '../testing/services/database.ts'
import { gatherPeople, type Person } from '../testing/walking/people.ts'
import { scratchFolder, startApiOn, startServerOn, testBase } from '../testing/server.ts'
import { buildWorld } from '../testing/walking/walked-world.ts'
import { callerOf } from '../testing/walking/walk.ts'
import { type Bound, BOUNDS, boundOf } from '../testing/walking/worst-values.ts'

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 })

const SETTINGS = {
  RATE_LIMIT_PERMITS_PER_MINUTE: '1000000',
  RATE_LIMIT_ACCOUNT_PERMITS_PER_MINUTE: '1000000',
  SIGN_IN_PERMITS_PER_MINUTE: '10000',
}
const unobserved = { started: () => {}, succeeded: () => {}, failed: () => {} }
const ends: (() => Promise<void>)[] = []
const atEnd = (end: () => Promise<void>) => void ends.unshift(end)

/** Two accounts of each kind, each with a row of everything, in an API that commits. */
async function startGround() {
  const connection = await freshDatabase(undefined, atEnd)
  const settings = { ...SETTINGS, PLACARD_HOME: await scratchFolder(atEnd) }
  const server = await startServerOn(connection, { settings, atEnd })
  const caller = await callerOf(server.http)
  const people = await gatherPeople(server)
  const world = await buildWorld(caller, people)
  const [advertiser, publisher] = world.people.slice(-2) as [Person, Person]
  const ground = { ...caller, ...server, connection, settings, people, advertiser, publisher }
  return { ...ground, neighbours: world.neighbours }
}
let ground: Awaited<ReturnType<typeof startGround>>
let before: Seen

beforeAll(async () => {
  ground = await startGround()
  await bookPlacement(LIVE, ground.advertiser.known)
  await bookPlacement([...OPEN, ...LIVE], ground.neighbours[0]!.known)
  await runEveryJob()
  before = { ...(await startNode()), unreadable: [] }
})
afterAll(async () => {
  for (const end of ends) await end()
})

const OPEN = ['unblockSite', 'unblockAdProduct', 'deleteTargetingRule']
const STARTS = [
  ['changeCampaign', 'startsAt'],
  ['changeBanner', 'publishAt'],
] as const
const LIVE = ['approveCreativeApproval', 'activateCampaign']

/** Lets the campaign run on the placement it is booked on. */
async function bookPlacement(ids: readonly string[], known: Known): Promise<void> {
  const { people, call, http } = ground
  const { headers } = people.operator
  for (const [id, field] of STARTS) {
    const change = requestOf(operationNamed(ground, id), known, headers)
    await http.inject({ ...change, payload: { [field]: null } })
  }
  for (const id of ids) {
    const answer = await call(people.operator, operationNamed(ground, id), known)
    if (answer.statusCode >= 300) throw new Error(`${id}: ${answer.body}`)
  }
}

/** A change of a row with its id in the path. */
const isChange = ({ method, path, body }: Operation) =>
  method === 'PATCH' && body !== undefined && path.includes('{')

/** Sends the change as each caller who may make it, one after the other. Returns the answers. */
async function send(operation: Operation, payload: object): Promise<readonly Answer[]> {
  const { advertiser, publisher, people, http } = ground
  const answers: Answer[] = []
  for (const person of [advertiser, publisher, people.operator]) {
    const known = { ...advertiser.known, ...publisher.known, ...person.known }
    const answer = await http.inject({ ...requestOf(operation, known, person.headers), payload })
    answers.push(answer)
    if (answer.statusCode < 300) break
  }
  return answers
}

/** Sets every field of the account's rows to its bound, one by one. Returns the accepted ones. */
async function pushTo(bound: Bound): Promise<{ taken: Set<string>; failed: string[] }> {
  const taken = new Set<string>()
  const failed: string[] = []
  const changes = ground.operations.filter(isChange).flatMap((operation) =>
    Object.entries(operation.body!.properties ?? {}).flatMap(([field, schema]) => {
      const value = boundOf(schema, bound)
      return value === undefined ? [] : [{ operation, field, value }]
    }),
  )
  for (const { operation, field, value } of changes) {
    for (const { statusCode, body } of await send(operation, { [field]: value })) {
      if (statusCode >= 500) failed.push(`${operation.id} ${field}: ${statusCode} ${body}`)
      if (statusCode < 300) taken.add(operation.id)
    }
  }
  return { taken, failed }
}

/** Starts a worker on these rows, and runs every job once. */
async function runEveryJob(): Promise<string[]> {
  const { base } = await testBase(ground.connection, { ...ground, atEnd })
  await using stack = new AsyncDisposableStack()
  const jobs = await openJobs({ ...base, role: 'worker', jobs: JOBS, observer: unobserved })
  stack.defer(() => jobs.stop())
  const modules = (await workerModules(base, jobs)).map(stoppedBy(stack))
  await startModules(modules)
  const failed: string[] = []
  const { signal } = new AbortController()
  for (const { definition, run, cron } of modules.flatMap((module) => module.jobs ?? [])) {
    if (cron === undefined) continue
    await run({}, { signal, log: base.log, progress() {} }).catch((error: unknown) => {
      failed.push(`${definition.name}: ${String(error)}`)
    })
  }
  return failed
}

interface Seen {
  /** The decisions on the neighbour's placement, and their explanation. */
  readonly decided: readonly string[]
  readonly unreadable: readonly string[]
}

/**
 * Starts a node on these rows. Returns the neighbour's decisions and the rows that cannot be read.
 */
async function startNode(): Promise<Seen> {
  await using stack = new AsyncDisposableStack()
  const stop = (end: () => Promise<void>) => stack.defer(end)
  const { base: plain } = await testBase(ground.connection, { ...ground, atEnd: stop })
  const jobs = await openJobs({ ...plain, role: 'enqueuer', jobs: JOBS, observer: unobserved })
  stack.defer(() => jobs.stop())
  const base = { ...plain, jobs }
  const serving = await composeServing(base)
  stack.defer(() => serving.stop())
  const { http } = await startApiOn(base, { serving, atEnd: stop })
  const node = await callerOf(http)
  const payload = { placement: 'neighbour-top' }
  const request = { method: 'POST', url: '/api/v1/admin/decisions/explain', payload } as const
  const { headers } = ground.people.operator
  const explained = await http.inject({ ...request, headers })
  return {
    decided: explained.json<{ text: readonly string[] }>().text,
    unreadable: await readAll(node),
  }
}

/** Reads everything that the neighbours and the operator may read. */
async function readAll({ operations, call }: Caller): Promise<string[]> {
  const failed: string[] = []
  for (const operation of operations.filter(({ method }) => method === 'GET')) {
    for (const person of [...ground.neighbours, ground.people.operator]) {
      const known = { ...ground.neighbours[0]!.known, ...person.known }
      const { statusCode } = await call(person, operation, known)
      if (statusCode >= 500) failed.push(`${operation.id} as ${person.name}: ${statusCode}`)
    }
  }
  return failed
}

async function listSetAside() {
  const { rows } = await ground.connection.db.execute(
    sql`select reader, entity, reason from set_aside_rows order by id`,
  )
  return rows
}

test.each(BOUNDS)(
  'with every field of an account at the %s that the contract allows, all others go on',
  async (bound) => {
    const { taken, failed } = await pushTo(bound)
    const untouched = ground.operations.filter((one) => isChange(one) && !taken.has(one.id))

    expect(failed).toEqual([])
    expect(untouched.map(({ id }) => id)).toEqual([])
    expect(await runEveryJob()).toEqual([])
    expect(await startNode()).toEqual(before)
    expect(await listSetAside()).toEqual([])
  },
)
