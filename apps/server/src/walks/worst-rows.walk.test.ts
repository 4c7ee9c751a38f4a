import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Operation } from '../testing/walking/openapi.ts'
import { type Answer, requestOf } from '../testing/walking/caller.ts'
import { listTables, plant } from '../testing/walking/plant.ts'
import {
  type Clone,
  cloneOf,
  type Ground,
  makeGround,
  type Node,
  runEveryJob,
  showFeedGoesOn,
  startNode,
} from '../testing/walking/tenant-ground.ts'
import { type Bound, BOUNDS, boundOf } from '../testing/walking/worst-values.ts'
import { OUT_OF_REACH, PLANTED } from './planted-faults.ts'

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 })

const ends: (() => Promise<void>)[] = []
const atEnd = (end: () => Promise<void>) => void ends.unshift(end)

let ground: Ground
let usual: readonly string[]

beforeAll(async () => {
  ground = await makeGround()
  usual = await withClone(async (clone, stack) => {
    await runEveryJob(ground, clone)
    return (await startNode(ground, clone, stack)).decide()
  })
})
afterAll(async () => {
  for (const end of ends) await end()
})

/** Runs the work on a fresh copy of the ground. */
async function withClone<Result>(
  work: (clone: Clone, stack: AsyncDisposableStack) => Promise<Result>,
): Promise<Result> {
  const clone = await cloneOf(ground, atEnd)
  await using stack = new AsyncDisposableStack()
  return await work(clone, stack)
}

/** A change of a row with its id in the path. */
const isChange = ({ method, path, body }: Operation) =>
  method === 'PATCH' && body !== undefined && path.includes('{') && !isPlatforms(path)
/** Only the platform has these. */
const isPlatforms = (path: string) => path.includes('/identity-providers/')

/** Sends the change as each caller who may make it, one after the other. Returns the answers. */
async function send(
  { http }: Node,
  operation: Operation,
  payload: object,
): Promise<readonly Answer[]> {
  const { advertiser, publisher, people } = ground
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
async function pushTo(node: Node, bound: Bound): Promise<{ taken: Set<string>; failed: string[] }> {
  const taken = new Set<string>()
  const failed: string[] = []
  const changes = node.operations.filter(isChange).flatMap((operation) =>
    Object.entries(operation.body!.properties ?? {}).flatMap(([field, schema]) => {
      const value = boundOf(schema, bound)
      return value === undefined ? [] : [{ operation, field, value }]
    }),
  )
  for (const { operation, field, value } of changes) {
    for (const { statusCode, body } of await send(node, operation, { [field]: value })) {
      if (statusCode >= 500) failed.push(`${operation.id} ${field}: ${statusCode} ${body}`)
      if (statusCode < 300) taken.add(operation.id)
    }
  }
  return { taken, failed }
}

/** Jobs run, a node starts, decisions are as before, and all others can read everything. */
async function showOthersGoOn(clone: Clone): Promise<void> {
  expect(await runEveryJob(ground, clone)).toEqual([])
  await using stack = new AsyncDisposableStack()
  const node = await startNode(ground, clone, stack)
  expect(await node.decide()).toEqual(usual)
  expect(await node.listUnreadable()).toEqual([])
}

const listSetAside = async ({ db }: Clone) =>
  (await db.execute(sql`select reader, entity, reason from set_aside_rows order by id`)).rows

test.each(BOUNDS)(
  'with every field of an account at the %s that the contract allows, all others go on',
  (bound) =>
    withClone(async (clone) => {
      await using stack = new AsyncDisposableStack()
      const node = await startNode(ground, clone, stack)
      const { taken, failed } = await pushTo(node, bound)
      const untouched = node.operations.filter((one) => isChange(one) && !taken.has(one.id))

      expect(failed).toEqual([])
      expect(untouched.map(({ id }) => id)).toEqual([])
      await showFeedGoesOn(ground, node)
      await stack.disposeAsync()
      await showOthersGoOn(clone)
      expect(await listSetAside(clone)).toEqual([])
    }),
)

test('every table has planted faults, or a reason why no account can spoil it', () =>
  withClone(async ({ pool }) => {
    const listed = [...Object.keys(PLANTED), ...Object.values(OUT_OF_REACH).flat()]
    expect(listed.toSorted()).toEqual(await listTables(pool))
  }))

const ROUNDS = Math.max(...Object.values(PLANTED).map((faults) => faults.length))

test.each(Array.from({ length: ROUNDS }, (_, round) => round))(
  'with the worst rows of an account that the database accepts (%i), all others go on',
  (round) =>
    withClone(async (clone) => {
      await using stack = new AsyncDisposableStack()
      const node = await startNode(ground, clone, stack)
      const empty = await plantAll(clone, round)

      expect(empty).toEqual([])
      await showFeedGoesOn(ground, node)
      await stack.disposeAsync()
      await showOthersGoOn(clone)
    }),
)

/** Plants the faults of a round. Returns the tables without a row to spoil. */
async function plantAll({ pool }: Clone, round: number): Promise<string[]> {
  const accountIds = [ground.advertiser, ground.publisher].map(({ known }) =>
    String(known.accountId),
  )
  const empty: string[] = []
  for (const [table, { [round]: fault }] of Object.entries(PLANTED)) {
    if (fault === undefined) continue
    if ((await plant(pool, { table, fault, accountIds })) === 0) empty.push(table)
  }
  return empty
}
