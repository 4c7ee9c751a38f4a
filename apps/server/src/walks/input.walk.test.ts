import type { InjectOptions } from 'fastify'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { knownId, NOBODY, urlOf, type Known, type Operation } from '../testing/walking/openapi.ts'
import {
  BROKEN_BODIES,
  HIDDEN_SEGMENTS,
  HOSTILE_SEGMENTS,
  isFreeText,
  leavesOf,
  leavesOfQuery,
  SPOILINGS,
  spoiltBy,
  UNUSUAL,
  withValue,
  xmlRefusal,
  type Leaf,
  type Spoilt,
} from '../testing/walking/bad-input.ts'
import { asking, injectInTurn, knownTo, requestOf, type Answer } from '../testing/walking/caller.ts'
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

test('a body with a missing, unknown or wrong field is refused with every fault', async () => {
  const wrong = await tryAll(jsonOperations(), (operation) => {
    const { required = [] } = operation.body!
    const valid = requestTo(operation).payload as object
    const missing = { name: 'nothing', payload: {}, faults: required }
    const unknown = {
      name: 'a field',
      payload: { ...valid, colour: 1 },
      faults: operation.ignoresUnknownFields ? [] : ['colour'],
    }
    const spoilt = spoiltBy(SPOILINGS, leavesOf(operation.body!)).map((spoilt) => ({
      name: spoilt.name,
      payload: spoil(valid, spoilt),
      faults: spoilt.values.map(({ path }) => path.slice(1)),
    }))
    return [missing, unknown, ...spoilt]
      .filter(({ faults }) => faults.length > 0)
      .map(({ name, payload, faults }) => ({
        name,
        request: { ...requestTo(operation), payload },
        allowed: [400],
        faults: faults.map((field) => `body/${field}`),
      }))
  })

  expect(wrong).toEqual([])
})

test('a query with an unknown, repeated or wrong field is refused with every fault', async () => {
  const wrong = await tryAll(walk.operations, (operation) => {
    const leaves = leavesOfQuery(operation.query)
    const spoilt = spoiltBy(SPOILINGS, leaves)
      .filter(({ name }) => name !== 'half a pair')
      .map(({ name, values }) => ({ name, values: values.filter(isWrongAsText(leaves)) }))
    const asked = [
      {
        name: 'a field',
        query: 'colour=1',
        faults: operation.ignoresUnknownFields ? [] : ['colour'],
      },
      ...leaves.map(({ path }) => repeated(path.slice(1))),
      ...spoilt.map(({ name, values }) => ({
        name,
        query: values.map(({ path, value }) => `${path.slice(1)}=${encode(value)}`).join('&'),
        faults: values.map(({ path }) => path.slice(1)),
      })),
    ]
    return asked
      .filter(({ faults }) => faults.length > 0)
      .map(({ name, query, faults }) => ({
        name: `${name}: ${query.slice(0, 60)}`,
        request: asking(requestTo(operation), query),
        allowed: [400],
        faults: faults.map((field) => `querystring/${field}`),
      }))
  })

  expect(wrong).toEqual([])
})

test('a body that is no JSON, of another type or too large is refused', async () => {
  const wrong = await tryAll(jsonOperations(), (operation) => {
    const { headers, ...valid } = requestTo(operation)
    const sent = (type: string, payload: string | Buffer) => ({
      ...valid,
      headers: { ...headers, 'content-type': type },
      payload,
    })
    return [
      ...Object.entries(BROKEN_BODIES).map(([name, body]) => ({
        name,
        request: sent('application/json', body),
        allowed: [400],
      })),
      { name: 'XML', request: sent('application/xml', '<a/>'), allowed: xmlRefusal(operation) },
      { name: 'plain text', request: sent('text/plain', '{}'), allowed: [400, 415] },
      { name: 'too much', request: announcing(requestTo(operation), 11_000_000), allowed: [413] },
    ]
  })

  expect(wrong).toEqual([])
})

test('a body or query that a route does not accept is refused, not ignored', async () => {
  const without = walk.operations.filter(({ body, method }) => !body && method !== 'GET')
  const wrong = await tryAll(without, (operation) => [
    {
      name: 'a body',
      request: { ...requestTo(operation), payload: { colour: 1 } },
      allowed: [400],
      faults: ['body/colour'],
    },
  ])

  expect(wrong).toEqual([])
})

test('hostile text in a path finds nothing', async () => {
  const wrong = await tryAll(withParams(), (operation) =>
    leavesOfQuery(operation.params).flatMap((param) =>
      hostileFor(param).map((text) => ({
        name: `${param.path} ${text.slice(0, 40)}`,
        request: requestNaming(operation, { [param.path.slice(1)]: encodeURIComponent(text) }),
        allowed: [400, 404, 414],
      })),
    ),
  )

  expect(wrong).toEqual([])
})

/** In a path parameter for words, only unprintable text is hostile. */
const hostileFor = (param: Leaf): readonly string[] => {
  if (isFreeText(param)) return HIDDEN_SEGMENTS
  const [{ pattern = '^$' } = {}] = param.options
  return HOSTILE_SEGMENTS.filter((text) => !new RegExp(pattern).test(text))
}

test('a badly encoded path is refused', async () => {
  const wrong = await tryAll(withParams(), (operation) =>
    Object.keys(operation.params).flatMap((name) =>
      ['%', '%zz', '%ff', '%c0%ae%c0%ae'].map((text) => ({
        name: `${name} ${text}`,
        request: requestNaming(operation, { [name]: text }),
        allowed: [400, 404],
      })),
    ),
  )

  expect(wrong).toEqual([])
})

test('an unknown id finds nothing', async () => {
  const wrong = await tryAll(withParams(), (operation) =>
    Object.keys(operation.params)
      .filter((name) => name.endsWith('Id'))
      .map((name) => ({
        name,
        request: requestNaming(operation, { [name]: NOBODY }),
        allowed: [404],
      })),
  )

  expect(wrong).toEqual([])
})

test('unusual text is accepted or refused, and never breaks anything', async () => {
  const wrong: string[] = []
  for (const operation of jsonOperations()) {
    for (const spoilt of spoiltBy(UNUSUAL, leavesOf(operation.body!))) {
      const answer = await walk.undoing(async () => {
        const known = await walk.prepare(callerOf(operation), operation)
        const { payload, ...request } = requestTo(operation, known)
        return walk.http.inject({ ...request, payload: spoil(payload as object, spoilt) })
      })
      if (answer.statusCode >= 300 && !isProblem(answer, [400, 401, 404])) {
        wrong.push(describeAnswer(operation, spoilt.name, answer))
      }
    }
  }

  expect(wrong).toEqual([])
})

const UNUSUAL_IN_QUERIES = [
  '%ED%A0%BE',
  '%F0%9F%A6%84',
  '%25_%5C',
  "'%20or%201=1--",
  '%',
  '%ff',
  '',
]

test('unusual text in a query is accepted or refused, and never breaks anything', async () => {
  const wrong: string[] = []
  for (const operation of walk.operations.filter(({ method }) => method === 'GET')) {
    const { url, ...request } = requestTo(operation)
    const queries = leavesOfQuery(operation.query)
      .filter(isFreeText)
      .flatMap(({ path }) => UNUSUAL_IN_QUERIES.map((word) => `${path.slice(1)}=${word}`))
    for (const query of queries) {
      const answer = await walk.http.inject({ ...request, url: `${url}?${query}` })
      const isFair = answer.statusCode === 200 || isProblem(answer, [400])
      if (!isFair) wrong.push(describeAnswer(operation, query, answer))
    }
  }

  expect(wrong).toEqual([])
})

test('a forged cursor is refused', async () => {
  const wrong = await tryAll(
    walk.operations.filter(({ query }) => 'cursor' in query),
    (operation) => {
      const sorts = (operation.query.sort?.enum ?? [
        '-createdAt',
        'displayOrder',
      ]) as readonly string[]
      return sorts.flatMap((sort) =>
        forgedCursors(sort).map((cursor) => ({
          name: `${sort} ${cursor}`,
          request: {
            ...requestTo(operation),
            query: {
              cursor: Buffer.from(cursor).toString('base64url'),
              ...(operation.query.sort && { sort }),
            },
          },
          allowed: [400],
        })),
      )
    },
  )

  expect(wrong).toEqual([])
})

/** Fields that may name a row of another account: buyers ask or block any site. */
const ACROSS: Readonly<Record<string, readonly string[]>> = {
  blockSite: ['siteId'],
  unblockSite: ['siteId'],
  submitCreativeApproval: ['siteId'],
  addConversion: ['publisherId'],
}

test('a request cannot name another account’s row beside the caller’s own', async () => {
  const wrong: string[] = []
  for (const [operation, person] of pairsOfNeighbours()) {
    for (const field of foreignFields(operation, person)) {
      const answer = await walk.undoing(async () => {
        const known = { ...(await walk.prepare(person, operation)), [field]: theWorlds(field) }
        return walk.http.inject(requestOf(operation, known, person.headers))
      })
      if (!isProblem(answer, [400, 403, 404])) wrong.push(describeAnswer(operation, field, answer))
    }
  }

  expect(wrong).toEqual([])
})

const pairsOfNeighbours = () =>
  walk.operations.flatMap((operation) =>
    walk.neighbours
      .filter(({ permissions }) => permissions.has(operation.access))
      .map((person) => [operation, person] as const),
  )

const theWorlds = (field: string) => knownId(walk.people[0]!.known, field) ?? NOBODY

/** Fields that name a row of the caller, and could name another's. */
function foreignFields(operation: Operation, { known }: Person): string[] {
  const sent = (known: Known) => JSON.stringify(requestOf(operation, known))
  return Object.keys(known).filter(
    (field) =>
      walk.privateIds.includes(theWorlds(field)) &&
      !ACROSS[operation.id]?.includes(field) &&
      sent({ ...known, [field]: theWorlds(field) }) !== sent(known),
  )
}

/** Well-formed cursors with values that the sorted column cannot have. */
function forgedCursors(sort: string): string[] {
  const field = sort.replace('-', '').replace('createdAt', 'publicId')
  const values = field === 'publicId' ? [] : ['a\u0000', { $gt: '' }, null, 1e300, true]
  return [
    'nonsense',
    '[]',
    JSON.stringify(['elsewhere', 'a', NOBODY]),
    JSON.stringify([field, 'a', 'no id']),
    ...values.map((value) => JSON.stringify([field, value, NOBODY])),
  ]
}

interface Attempt {
  readonly name: string
  readonly request: InjectOptions
  readonly allowed: readonly number[]
  /** Fields that the answer must report as faults, at least. */
  readonly faults?: readonly string[]
}

/** What went wrong: a forbidden answer, an unreported fault, a change in a table. */
async function tryAll(
  operations: readonly Operation[],
  attemptsAt: (operation: Operation) => readonly Attempt[],
): Promise<string[]> {
  const wrong: string[] = []
  await walk.remember()
  for (const operation of operations) {
    await walk.undoing(async () => {
      for (const { name, request, allowed, faults = [] } of attemptsAt(operation)) {
        const answer = await injectInTurn(walk.http, request)
        const isFair = isProblem(answer, allowed)
        const unnamed = isFair ? faults.filter((path) => !isNamed(answer, path)) : []
        if (!isFair) wrong.push(describeAnswer(operation, name, answer))
        if (unnamed.length > 0) wrong.push(`${operation.id} ${name}: no fault at ${unnamed.join()}`)
        // A failure may also have broken the transaction.
        if (answer.statusCode >= 500) return
      }
      if (await walk.hasWritten()) wrong.push(`${operation.id} wrote`)
    })
  }
  // Events are written on other connections.
  if (await walk.hasChanged()) wrong.push('an operation wrote on a connection of its own')
  return wrong
}

function isProblem(answer: Answer, allowed: readonly number[]): boolean {
  if (!allowed.includes(answer.statusCode)) return false
  if (!String(answer.headers['content-type']).includes('application/problem+json')) return false
  return /^([A-Z][A-Z_]+|[a-z][a-z_]+)$/.test(answer.json<{ code: string }>().code)
}

function isNamed(answer: Answer, path: string): boolean {
  const { faults = [] } = answer.json<{ faults?: { path: string }[] }>()
  return faults.some((fault) => fault.path === path || fault.path.startsWith(`${path}/`))
}

const describeAnswer = ({ id }: Operation, name: string, { statusCode, body }: Answer) =>
  `${id} with ${name}: ${statusCode} ${body.slice(0, 300)}`

const jsonOperations = () =>
  walk.operations.filter(({ bodyType }) => bodyType === 'application/json')
const withParams = () => walk.operations.filter(({ params }) => Object.keys(params).length > 0)

function callerOf({ access }: Operation): Person {
  const holder = walk.people.find(({ permissions }) => permissions.has(access))
  return holder ?? walk.people[0]!
}

const requestTo = (operation: Operation, known = callerOf(operation).known) =>
  requestOf(operation, known, callerOf(operation).headers)

const requestNaming = (operation: Operation, named: Readonly<Record<string, string>>) => ({
  ...requestTo(operation),
  url: urlOf(operation, { ...knownTo(operation, callerOf(operation).known), ...named }),
})

/** Announces the length of the body, so that it is refused without being read. */
const announcing = ({ headers, ...request }: InjectOptions, bytes: number): InjectOptions => ({
  ...request,
  headers: { ...headers, 'content-length': String(bytes) },
})

const spoil = (valid: object, { values }: Spoilt): object =>
  values.reduce<unknown>((body, { path, value }) => withValue(body, path, value), valid) as object

const repeated = (field: string) => ({
  name: 'a field twice',
  query: `${field}=1&${field}=2`,
  faults: [field],
})

const encode = (value: unknown) =>
  encodeURIComponent(typeof value === 'string' ? value : JSON.stringify(value))

/** A query is all text, so a number is wrong only where the text needs a format. */
const isWrongAsText =
  (leaves: ReturnType<typeof leavesOfQuery>) =>
  ({ path, value }: Spoilt['values'][number]): boolean => {
    const leaf = leaves.find((leaf) => leaf.path === path)
    if (typeof value === 'string' || !leaf) return true
    const [{ pattern = '^$' } = {}] = leaf.options
    return !isFreeText(leaf) && !new RegExp(pattern).test(encode(value))
  }
