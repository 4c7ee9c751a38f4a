import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { isTimeZone, leavesOf, leavesOfQuery, OLD_ZONES } from '../testing/walking/bad-input.ts'
import {
  exampleOf,
  type JsonSchema,
  type Known,
  type Operation,
} from '../testing/walking/openapi.ts'
import { knownTo, operationNamed, requestOf, type Answer } from '../testing/walking/caller.ts'
import {
  defaultsIn,
  fullAt,
  innerObjectsOf,
  partAt,
  withoutPart,
} from '../testing/walking/inner-objects.ts'
import type { Person } from '../testing/walking/people.ts'
import { startWalk, type Walk } from '../testing/walking/walk.ts'

const ends: (() => Promise<void>)[] = []
let walk: Walk
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

beforeAll(async () => {
  walk = await startWalk((end) => ends.unshift(end))
})
afterAll(async () => {
  for (const end of ends) await end()
})

/** Fields that decide price or priority, wherever a buyer could write them. */
const COMMERCIAL =
  /^(source|priority|isEvergreenFallback|isHouse|isDefault|rate|booked|priceClass|delivery|pricing|maxBidMicros|displayOrder|weight|isFallback|fallbackPriority)/i

test('fields that decide price or priority are marked wherever buyers may call', () => {
  const unmarked = walk.operations
    .filter(({ body, method }) => body && method !== 'GET')
    .filter((operation) => walk.people.some((person) => isOther(person) && may(person, operation)))
    .flatMap(({ id, body }) =>
      Object.entries(fieldsOf(body!))
        .filter(([field, schema]) => COMMERCIAL.test(field) && !schema['x-written-by'])
        .map(([field]) => `${id} ${field}`),
    )

  expect(unmarked).toEqual([])
})

test('each field of each resource is written by the roles in the contract, and by no other', async () => {
  const wrong: string[] = []
  const attempts = attemptsAt('change').filter(({ operation }) => reading(operation))
  for (const attempt of attempts) {
    const verdict = await tryPatch({ ...attempt, read: reading(attempt.operation)! })
    if (verdict) wrong.push(`${nameOf(attempt)} ${verdict}`)
  }

  expect(wrong).toEqual([])
  expect(attempts.length).toBeGreaterThan(200)
})

test('rows created by buyers have the default seller’s fields without a proposal', async () => {
  const wrong: string[] = []
  for (const attempt of attemptsAt('create')) {
    if (!isMarked(attempt.schema) || !isOther(attempt.person)) continue
    const verdict = await tryCreate(attempt)
    if (verdict) wrong.push(`${nameOf(attempt)} ${verdict}`)
  }

  expect(wrong).toEqual([])
})

test('every field for a time zone says so, and every zone that Intl knows is taken or refused in reports', async () => {
  const zones = walk.operations.flatMap(({ id, body, query }) =>
    [...(body ? leavesOf(body) : []), ...leavesOfQuery(query)]
      .filter(({ path }) => /zone(name)?$/i.test(path))
      .map((leaf) => ({ name: `${id}${leaf.path}`, isTimeZone: isTimeZone(leaf) })),
  )
  expect(zones.filter((zone) => !zone.isTimeZone)).toEqual([])
  expect(zones.length).toBeGreaterThan(5)

  const { headers } = walk.people[0]!
  const report = (timeZone: string) =>
    walk.http.inject({
      method: 'POST',
      url: '/api/v1/reports/query',
      headers,
      payload: { dimensions: ['hour'], metrics: ['impressions'], timeZone },
    })
  const wrong: string[] = []
  for (const zone of [...Intl.supportedValuesOf('timeZone'), ...OLD_ZONES]) {
    const answer = await report(zone)
    if (![200, 400].includes(answer.statusCode)) wrong.push(`${zone}: ${describeAnswer(answer)}`)
  }
  expect(wrong).toEqual([])
})

const patches = () => walk.operations.filter(({ method, body }) => method === 'PATCH' && body)

test('every object inside a PATCH says how it is patched, and nothing there has a default', () => {
  const unclear = patches().flatMap(({ id, body }) => [
    ...innerObjectsOf(body!)
      .filter(({ schema }) => schema['x-patched'] === undefined)
      .map(({ path }) => `${id} ${path.join('/')}`),
    ...defaultsIn(body!).map((field) => `${id} ${field} has a default`),
  ])

  expect(unclear).toEqual([])
})

test('a PATCH that leaves a part of an object out leaves it as it is, or is refused', async () => {
  const wrong: string[] = []
  const leavings = patches().flatMap(leavingsOf)
  for (const { operation, full, left } of leavings) {
    const verdict = await tryLeaving({ operation, full, left })
    if (verdict) wrong.push(`${operation.id} without ${left.join('/')}: ${verdict}`)
  }

  expect(wrong).toEqual([])
  expect(leavings.length).toBeGreaterThan(12)
})

/** Every part of every object in the body, left out alone. */
const leavingsOf = (operation: Operation): Leaving[] =>
  innerObjectsOf(operation.body!).flatMap(({ path }) => {
    const full = fullAt(operation.body!, path[0]!)
    const parts = Object.keys(partAt(full, path) as object)
    return parts.map((part) => ({ operation, full, left: [...path, part] }))
  })

interface Leaving {
  readonly operation: Operation
  readonly full: Readonly<Record<string, unknown>>
  /** The part that the second PATCH does not name. */
  readonly left: readonly string[]
}

function tryLeaving({ operation, full, left }: Leaving) {
  return walk.undoing(async () => {
    const person = walk.people.find((one) => may(one, operation))!
    const known = await walk.prepare(person, operation)
    const { payload: _, ...request } = requestOf(operation, known, person.headers)
    const given = await walk.http.inject({ ...request, payload: full })
    if (given.statusCode >= 300) return describeAnswer(given)
    const answer = await walk.http.inject({ ...request, payload: withoutPart(full, left) })
    if (answer.statusCode === 400) return undefined
    if (answer.statusCode >= 300) return describeAnswer(answer)
    const [was, is] = [given, answer].map((one) => text(partAt(one.json(), left)))
    return was === is ? undefined : `${was} became ${is}`
  })
}

/** Every field of every such operation, for everyone who may call it. */
function attemptsAt(verb: 'change' | 'create'): Attempt[] {
  return walk.operations
    .filter(({ id, body }) => id.startsWith(verb) && body)
    .flatMap((operation) =>
      walk.people
        .filter((person) => may(person, operation))
        .flatMap((person) =>
          Object.entries(fieldsOf(operation.body!)).map(([field, schema]) => ({
            operation,
            person,
            field,
            schema,
          })),
        ),
    )
}

const nameOf = ({ operation, person, field }: Attempt) =>
  `${operation.id} as ${person.name}: ${field}`

interface Attempt {
  readonly operation: Operation
  readonly person: Person
  readonly field: string
  readonly schema: JsonSchema
}

function tryPatch({ operation, read, person, field, schema }: Attempt & { read: Operation }) {
  return walk.undoing(async () => {
    const known = await walk.prepare(person, operation)
    const before = await readBy(read, known)
    const value = otherThan(before[field], { schema, known: knownTo(operation, known), field })
    if (value === undefined) return undefined
    const { payload: _, ...request } = requestOf(operation, known, person.headers)
    const answer = await walk.http.inject({ ...request, payload: { [field]: value } })
    const isChanged = JSON.stringify((await readBy(read, known))[field]) !== text(before[field])
    if (!isMarked(schema) || !isOther(person))
      return answer.statusCode < 500 ? undefined : describeAnswer(answer)
    if (isChanged) return 'was written'
    return isProposal(answer, field) || answer.statusCode >= 400
      ? undefined
      : describeAnswer(answer)
  })
}

function tryCreate({ operation, person, field, schema }: Attempt) {
  return walk.undoing(async () => {
    const known = await walk.prepare(person, operation)
    const { payload, ...request } = requestOf(operation, known, person.headers)
    const plain = Object.fromEntries(
      Object.entries(payload as object).filter(([name]) => name !== field),
    )
    const without = await walk.undoing(() => walk.http.inject({ ...request, payload: plain }))
    const usual = without.json<Known>()[field]
    const value = otherThan(usual, { schema, known: knownTo(operation, known), field })
    if (value === undefined) return undefined
    const answer = await walk.http.inject({ ...request, payload: { ...plain, [field]: value } })
    if (answer.statusCode >= 400) return describeAnswer(answer)
    if (text(answer.json<Known>()[field]) !== text(usual)) return 'was written'
    return isProposal(answer, field) ? undefined : describeAnswer(answer)
  })
}

/** Another value that the field may have. Undefined if the contract gives none. */
function otherThan(
  value: unknown,
  { schema, known, field }: { schema: JsonSchema; known: Known; field: string },
): unknown {
  const options = schema.anyOf?.filter(({ type }) => type !== 'null') ?? [schema]
  const [option] = options
  const words = option?.enum ?? []
  if (words.length > 0) return words.find((word) => word !== value)
  if (typeof value === 'boolean' || option?.type === 'boolean') return value !== true
  if (typeof value === 'number') return value + 1
  return exampleOf(schema, known, field)
}

const reading = ({ id }: Operation) =>
  walk.operations.find((operation) => operation.id === id.replace(/^change/, 'get'))

async function readBy(read: Operation, known: Known): Promise<Known> {
  const operator = walk.people.find(({ name }) => name === 'operator')!
  return (await walk.call(operator, operationNamed(walk, read.id), known)).json<Known>()
}

const fieldsOf = ({
  properties = {},
  anyOf = [],
}: JsonSchema): Readonly<Record<string, JsonSchema>> =>
  Object.assign({}, properties, ...anyOf.map((option) => option.properties ?? {}))
const isMarked = (schema: JsonSchema) =>
  schema['x-written-by'] !== undefined && schema['x-written-by-when'] === undefined
const SELLERS = new Set(['operator', 'ad-ops'])
const isOther = ({ name }: Person) => !SELLERS.has(name)
const may = ({ permissions }: Person, { access }: Operation) => permissions.has(access)
const text = (value: unknown) => JSON.stringify(value)
const describeAnswer = ({ statusCode, body }: Answer) => `${statusCode} ${body.slice(0, 300)}`
const isProposal = (answer: Answer, field: string) =>
  answer.json<{ proposal?: { fields: string[] } }>().proposal?.fields.includes(field) === true
