import { vi } from 'vitest'
import { JOBS } from '../../compose/jobs.ts'
import { composeServing } from '../../compose/serving.ts'
import { workerModules } from '../../compose/worker.ts'
import type { Connection } from '../../platform/database/connect.ts'
import { openJobs } from '../../platform/jobs/open.ts'
import { startModules, stoppedBy } from '../../platform/modules.ts'
import { freshDatabase, makeTemplate } from '../services/database.ts'
import { scratchFolder, startApiOn, startServerOn, testBase } from '../server.ts'
import type { TestDeps } from '../world.ts'
import { type Answer, type Caller, operationNamed, requestOf } from './caller.ts'
import type { Known } from './openapi.ts'
import { gatherPeople, type People, type Person } from './people.ts'
import { callerOf } from './walk.ts'
import { buildWorld } from './walked-world.ts'

const SETTINGS = {
  RATE_LIMIT_PERMITS_PER_MINUTE: '1000000',
  RATE_LIMIT_ACCOUNT_PERMITS_PER_MINUTE: '1000000',
  SIGN_IN_PERMITS_PER_MINUTE: '10000',
}
const unobserved = { started: () => {}, succeeded: () => {}, failed: () => {} }

/** Two accounts of each kind, each with a row of everything, in a database that tests copy. */
export interface Ground {
  readonly template: string
  readonly deps: TestDeps
  readonly people: People
  readonly advertiser: Person
  readonly publisher: Person
  readonly neighbours: readonly Person[]
}

export async function makeGround(): Promise<Ground> {
  let ground: Omit<Ground, 'template'> | undefined
  const template = await makeTemplate(async (connection) => {
    await using stack = new AsyncDisposableStack()
    const atEnd = (end: () => Promise<void>) => stack.defer(end)
    const settings = { ...SETTINGS, PLACARD_HOME: await scratchFolder(atEnd) }
    const { http, deps } = await startServerOn(connection, { settings, atEnd })
    const caller = await callerOf(http)
    const people = await gatherPeople({ http, deps })
    const world = await buildWorld(caller, people)
    const [advertiser, publisher] = world.people.slice(-2) as [Person, Person]
    ground = { deps, people, advertiser, publisher, neighbours: world.neighbours }
    await bookPlacement({ ...caller, http, people }, { ids: LIVE, known: advertiser.known })
    const { known } = world.neighbours[0]!
    await bookPlacement({ ...caller, http, people }, { ids: [...OPEN, ...LIVE], known })
  })
  return { ...ground!, template }
}

const OPEN = ['unblockSite', 'unblockAdProduct', 'deleteTargetingRule']
const STARTS = [
  ['changeCampaign', 'startsAt'],
  ['changeBanner', 'publishAt'],
] as const
const LIVE = ['approveCreativeApproval', 'activateCampaign']

interface Asked {
  readonly ids: readonly string[]
  readonly known: Known
}

type Http = Awaited<ReturnType<typeof startApiOn>>['http']

/** Lets the campaign run on the placement it is booked on. */
async function bookPlacement(
  { people, call, http, operations }: Caller & { people: People; http: Http },
  { ids, known }: Asked,
): Promise<void> {
  const { headers } = people.operator
  for (const [id, field] of STARTS) {
    const change = requestOf(operationNamed({ operations }, id), known, headers)
    await http.inject({ ...change, payload: { [field]: null } })
  }
  for (const id of ids) {
    const answer = await call(people.operator, operationNamed({ operations }, id), known)
    if (answer.statusCode >= 300) throw new Error(`${id}: ${answer.body}`)
  }
}

export type Clone = Connection & { readonly url: string }

export const cloneOf = (
  { template }: Ground,
  atEnd: (end: () => Promise<void>) => void,
): Promise<Clone> => freshDatabase(template, atEnd)

/** Starts a worker on these rows, and runs every scheduled job once. Returns the failures. */
export async function runEveryJob(ground: Ground, clone: Clone): Promise<string[]> {
  await using stack = new AsyncDisposableStack()
  const base = await baseOn(ground, clone, stack)
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

async function baseOn(ground: Ground, clone: Clone, stack: AsyncDisposableStack) {
  const atEnd = (end: () => Promise<void>) => stack.defer(end)
  const settings = { ...SETTINGS, PLACARD_HOME: await scratchFolder(atEnd) }
  const deps = { ...ground.deps, db: clone.db }
  const { base } = await testBase(clone, { deps, settings, atEnd })
  return base
}

/** A node on that database. */
export interface Node extends Caller {
  readonly http: Http
  /** The decision on the neighbour's placement, and its explanation. */
  decide(): Promise<readonly string[]>
  /** Reads everything that the neighbours and the operator may read. Returns the failures. */
  listUnreadable(): Promise<string[]>
}

export async function startNode(
  ground: Ground,
  clone: Clone,
  stack: AsyncDisposableStack,
): Promise<Node> {
  const plain = await baseOn(ground, clone, stack)
  const jobs = await openJobs({ ...plain, role: 'enqueuer', jobs: JOBS, observer: unobserved })
  stack.defer(() => jobs.stop())
  const base = { ...plain, jobs }
  const serving = await composeServing(base)
  stack.defer(() => serving.stop())
  const { http } = await startApiOn(base, { serving, atEnd: (end) => stack.defer(end) })
  const caller = await callerOf(http)
  const { headers } = ground.people.operator
  return {
    ...caller,
    http,
    async decide() {
      const payload = { placement: 'neighbour-top' }
      const url = '/api/v1/admin/decisions/explain'
      const explained = await http.inject({ method: 'POST', url, payload, headers })
      return explained.json<{ text: readonly string[] }>().text
    },
    listUnreadable: () => readAll(ground, caller),
  }
}

async function readAll(ground: Ground, { operations, call }: Caller): Promise<string[]> {
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

/** Pauses and resumes the neighbour's campaign. Each change must reach the decisions of the running node. */
export async function showFeedGoesOn(ground: Ground, node: Node): Promise<void> {
  const { people, neighbours } = ground
  const { known } = neighbours[0]!
  const usual = await node.decide()
  const ask = async (id: string): Promise<Answer> => {
    const answer = await node.call(people.operator, operationNamed(node, id), known)
    if (answer.statusCode >= 300) throw new Error(`${id}: ${answer.body}`)
    return answer
  }
  const isUsual = async () => JSON.stringify(await node.decide()) === JSON.stringify(usual)
  const until = (expected: boolean) =>
    vi.waitFor(
      async () => {
        if ((await isUsual()) !== expected) throw new Error('decisions have not seen the change')
      },
      { timeout: 20_000, interval: 20 },
    )
  await ask('pauseCampaign')
  await until(false)
  await ask('activateCampaign')
  await until(true)
}
