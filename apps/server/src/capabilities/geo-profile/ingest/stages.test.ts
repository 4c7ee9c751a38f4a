import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { REVIEW_RULE } from '../review/review.ts'
import { SUSPICION_PROFILES } from '../profile/suspicion.ts'

/**
 * Stages of the plan that pages fulfil, or the absence of something. Every stage has a test that
 * names it.
 */
const ROOT = path.join(import.meta.dirname, '../../../../../..')
const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8')
const listFiles = (...patterns: string[]) =>
  execFileSync('git', ['ls-files', '-co', '--exclude-standard', ...patterns], {
    cwd: ROOT,
    encoding: 'utf8',
  })
    .split('\n')
    .filter(Boolean)

const STAGES = Array.from({ length: 25 }, (_, at) => `stage ${String(at + 1).padStart(2, '0')}`)

test('every one of the 25 stages has a test that names it', () => {
  const tests = listFiles('*.test.ts').map(read).join('\n')
  const named = new Set(tests.match(/(?<=(?:test|describe)\(\s*["'`])stage \d\d/g))

  expect(STAGES.filter((stage) => !named.has(stage))).toEqual([])
})

const FROZEN = [
  'declared_country',
  'observed_country',
  'usual_connection_country',
  'country_review_recommended',
]

test('stage 01: the four terms are in the glossary, and decisions say who owns the country and why edges publish', () => {
  const glossary = read('docs/glossary.md')

  expect(FROZEN.filter((term) => !glossary.includes(`\`${term}\``))).toEqual([])
  expect(read('docs/decisions/0015-declared-country-has-two-owners.md')).toContain('User Service')
  expect(read('docs/decisions/0016-observations-are-async-flatbuffers.md')).toContain('RPC')
})

test('stage 02: the entities of the domain model are the tables, and no fact has an address', () => {
  const schema = read('apps/server/migrations/0040_geo_profile.sql')
  const model = read('docs/decisions/0018-geo-profile-domain-model.md')
  const tables = [...schema.matchAll(/create table (\w+)/g)].map(([, name]) => name!)
  const entities = [...model.matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name!)

  expect(entities.toSorted()).toEqual(tables.toSorted())
  const withAddress = tables.filter((table) => {
    const [, columns = ''] = schema.split(`create table ${table} (`)
    return columns.split('\n)')[0]!.includes('ip_')
  })
  expect(withAddress).toEqual(['observation_queue'])
})

const ROUTES = [
  '/api/v1/internal/block-actions',
  '/api/v1/internal/block-actions/{blockActionId}/block',
  '/api/v1/internal/block-actions/{blockActionId}/dismiss',
  '/api/v1/internal/observations/dead-letters',
  '/api/v1/internal/observations/dead-letters/requeue',
  '/api/v1/internal/review-candidates',
  '/api/v1/internal/users/{userId}/declared-country',
  '/api/v1/internal/users/{userId}/declared-country/{version}/abandon',
  '/api/v1/internal/users/{userId}/declared-country/{version}/retry',
  '/api/v1/internal/users/{userId}/geo-profile',
  '/api/v1/internal/users/{userId}/review/dismiss',
  '/internal/v1/observations',
]

test('stage 25: the routes are frozen, thresholds are in two tables, and the capability stays small', () => {
  const { paths } = JSON.parse(read('docs/reference/openapi.json')) as { paths: object }
  const ours = Object.keys(paths).filter((route) => ROUTES.some((known) => known === route))
  const sources = listFiles('apps/server/src/capabilities/geo-profile/*.ts')
  const lines = sources
    .filter((file) => !/test/.test(path.basename(file)))
    .reduce((sum, file) => sum + read(file).split('\n').length, 0)

  expect(ours.toSorted()).toEqual(ROUTES)
  expect(Object.keys(SUSPICION_PROFILES)).toEqual(['permissive', 'standard', 'strict'])
  expect(Object.values(REVIEW_RULE).every(Number.isFinite)).toBe(true)
  // Own declarations, search and explanations by ground added 330 lines.
  expect(lines).toBeLessThan(5_000)
})
