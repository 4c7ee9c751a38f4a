import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { knownId, NOBODY, type Operation } from '../testing/walking/openapi.ts'
import { requestOf, type Answer } from '../testing/walking/caller.ts'
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

/** Routes outside the API description: documents for people and programs. */
const HIDDEN = [
  'GET /openapi.json',
  'GET /metrics',
  'GET /*',
  'GET /assets/*',
  'GET /swagger',
  'GET /status',
  'GET /ads.txt',
  'GET /app-ads.txt',
  'GET /sellers.json',
  'GET /tag.js',
  'GET /tag-consent.js',
  'GET /tag-over.js',
  'GET /tag-shop.js',
  'GET /tag-frame',
  // What Prebid calls beside the auction; by POST what exchanges call by GET.
  'POST /cookie_sync',
  'GET /setuid',
  'GET /getuids',
  'GET /bidders/params',
  'POST /t/b/:token',
  'POST /t/l/:token',
]

/**
 * Routes that a library or the platform adds to described ones: pages, CORS, HEAD, and the demo's
 * shop.
 */
const isAddition = ({ method, url }: { method: string; url: string }) =>
  url.startsWith('/docs') || url.startsWith('/demo') || method === 'OPTIONS' || method === 'HEAD'

test('every route is described, or is one of a few that are hidden on purpose', () => {
  const described = new Set(
    walk.operations.map(({ method, path }) => `${method} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`),
  )
  const undescribed = walk.http.routeTable
    .filter((route) => !isAddition(route))
    .map(({ method, url }) => `${method} ${url}`)
    .filter((route) => !described.has(route))

  expect(undescribed.toSorted()).toEqual(HIDDEN.toSorted())
  expect(walk.operations.length).toBeGreaterThan(170)
})

test('the description names the callers of each route as the route does', () => {
  const routes = walk.http.routeTable.map(({ method, url, access }) => `${method} ${url} ${access}`)
  const described = walk.operations.map(
    ({ method, path, access }) => `${method} ${path.replaceAll(/\{(\w+)\}/g, ':$1')} ${access}`,
  )

  expect(routes).toEqual(expect.arrayContaining(described))
})

test('every permitted caller gets 2xx for valid input', async () => {
  const wrong: string[] = []
  for (const operation of walk.operations) {
    for (const person of callersOf(operation)) {
      const answer = await walk.undoing(async () =>
        walk.call(
          operation.access === 'public' ? undefined : person,
          operation,
          await walk.prepare(person, operation),
        ),
      )
      if (!isSuccess(answer)) wrong.push(describeAnswer(operation, person.name, answer))
    }
  }

  expect(wrong).toEqual([])
})

/** A token cannot be read again, and an import creates many rows. */
const WITHOUT_ADDRESS = new Set(['createContextToken', 'importCampaigns'])

test('every created row is returned with its address', async () => {
  const wrong: string[] = []
  for (const operation of walk.operations.filter(({ method }) => method === 'POST')) {
    const [person] = callersOf(operation)
    if (!person || WITHOUT_ADDRESS.has(operation.id)) continue
    await walk.undoing(async () => {
      const known = await walk.prepare(person, operation)
      const made = await walk.call(person, operation, known)
      if (made.statusCode !== 201) return
      const url = String(made.headers['location'])
      const read = await walk.http.inject({ url, headers: person.headers })
      if (read.statusCode !== 200)
        wrong.push(describeAnswer(operation, `${person.name} at ${url}`, read))
    })
  }

  expect(wrong).toEqual([])
})

test('a list shows the rows of the world to permitted callers', async () => {
  const lists = walk.operations.filter(
    ({ id, access }) => id.startsWith('list') && access !== 'signed-in',
  )
  const wrong: string[] = []
  for (const operation of lists) {
    for (const person of callersOf(operation)) {
      const { body } = await walk.call(person, operation)
      const isShown = Object.keys(person.known).some((name) => shows(body, person, name))
      if (!isShown) wrong.push(`${operation.id} ${person.name}`)
    }
  }

  expect(wrong).toEqual([])
})

test('a caller without credentials gets 401, and nothing is written', async () => {
  const strangers: Readonly<Record<string, string>>[] = [
    {},
    { authorization: 'Bearer nonsense' },
    { authorization: 'Basic b3BlcmF0b3I6b3BlcmF0b3I=' },
    { 'x-api-key': 'plk_nonsense' },
  ]
  const wrong = await refusals((operation) =>
    strangers.map((headers) => ({
      name: `a stranger with ${JSON.stringify(headers)}`,
      request: requestOf(operation, walk.people[0]!.known, headers),
      allowed: [401],
    })),
  )

  expect(wrong).toEqual([])
})

test('a caller without the permission of a route is refused, and nothing is written', async () => {
  const wrong = await refusals((operation) =>
    (operation.access === 'signed-in' ? [] : [...walk.people, ...walk.otherTenants])
      .filter(({ permissions }) => !permissions.has(operation.access))
      .map((person) => ({
        name: person.name,
        request: requestOf(operation, person.known, person.headers),
        allowed: [403],
      })),
  )

  expect(wrong).toEqual([])
})

test('another account neither sees nor changes a row', async () => {
  const wrong = await refusals((operation) =>
    walk.otherTenants.flatMap((person) => attempts(operation, person)),
  )

  expect(wrong).toEqual([])
})

test('a missing row and a row of another account get the same answer', async () => {
  const wrong: string[] = []
  for (const operation of closedOperations()) {
    for (const person of walk.otherTenants.filter((person) => holds(person, operation))) {
      const [name] = Object.keys(operation.params)
      if (!name || !walk.privateIds.includes(knownId(person.known, name) ?? '')) continue
      const theirs = await walk.call(person, operation)
      const nobodys = await walk.call(person, operation, { ...person.known, [name]: NOBODY })
      if (theirs.json().code !== nobodys.json().code)
        wrong.push(describeAnswer(operation, person.name, theirs))
    }
  }

  expect(wrong).toEqual([])
})

function shows(body: string, { known }: Person, name: string): boolean {
  const id = knownId(known, name)
  return id !== undefined && body.includes(id)
}

const closedOperations = () => walk.operations.filter(({ access }) => access !== 'public')

/** The permitted callers. For public routes and own-account routes, those who can sign in. */
function callersOf(operation: Operation): readonly Person[] {
  return walk.people.filter((person) =>
    operation.access === 'public' ? person.name === 'operator' : holds(person, operation),
  )
}

const holds = ({ permissions, own }: Person, { access }: Operation) =>
  access === 'signed-in' ? 'sessionId' in own : permissions.has(access)

/** A click is answered with a redirect. */
const isSuccess = ({ statusCode }: Answer) =>
  (statusCode >= 200 && statusCode < 300) || statusCode === 302

interface Attempt {
  readonly name: string
  readonly request: ReturnType<typeof requestOf>
  readonly allowed: readonly number[]
}

/** With the world's ids in path and body. A list also with each filter. */
function attempts(operation: Operation, person: Person): Attempt[] {
  const { known, headers, name } = person
  const request = requestOf(operation, known, headers)
  const filters = Object.keys(operation.query).filter((field) => field in known)
  return [{}, ...filters.map((field) => ({ [field]: knownId(known, field) ?? '' }))].map(
    (query) => ({
      name,
      request: { ...request, query: { ...request.query, ...query } },
      allowed: allowedFor(request, query),
    }),
  )
}

/** Naming another account's row is refused. An import says which of its rows is at fault. */
function allowedFor({ url, payload, method }: Attempt['request'], query: object): number[] {
  if (mentions(url)) return [401, 403, 404]
  if (mentions(JSON.stringify([payload, method !== 'GET' && query]))) return [400, 401, 403, 404]
  return [200, 201, 204, 401, 403, 404]
}

const mentions = (text: string) => walk.privateIds.some((id) => text.includes(id))

/** What went wrong per operation: a forbidden answer, a leak, a change in a table. */
async function refusals(
  attemptsAt: (operation: Operation) => readonly Attempt[],
): Promise<string[]> {
  const wrong: string[] = []
  await walk.remember()
  for (const operation of closedOperations()) {
    await walk.undoing(async () => {
      for (const attempt of attemptsAt(operation)) {
        const answer = await send(attempt)
        if (!isFair(attempt, answer)) wrong.push(describeAnswer(operation, attempt.name, answer))
      }
      if (await walk.hasWritten()) wrong.push(`${operation.id} wrote`)
    })
  }
  // Events are written on other connections.
  if (await walk.hasChanged()) wrong.push('an operation wrote on a connection of its own')
  return wrong
}

/** A permitted call is rolled back at once: only refusals must change nothing. */
const send = ({ request, allowed }: Attempt): Promise<Answer> =>
  allowed.includes(200) ? walk.undoing(() => walk.http.inject(request)) : walk.http.inject(request)

function isFair({ allowed }: Attempt, answer: Answer): boolean {
  if (!allowed.includes(answer.statusCode)) return false
  if (isSuccess(answer)) return !mentions(answer.body)
  const isProblem = String(answer.headers['content-type']).includes('application/problem+json')
  return isProblem && typeof answer.json<{ code: unknown }>().code === 'string'
}

const describeAnswer = ({ id }: Operation, name: string, { statusCode, body }: Answer) =>
  `${id} as ${name}: ${statusCode} ${body.slice(0, 300)}`
