import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { JOBS } from '../apps/server/src/compose/jobs.ts'

const ROOT = path.join(import.meta.dirname, '..')
const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8')
const PAGE = read('docs/seeds.md')

const found = (pattern: RegExp): readonly string[] => [
  ...new Set([...PAGE.matchAll(pattern)].map((match) => match[1]!)),
]

/** Names after a word such as `table`, up to the next such word. */
const named = (kind: string): readonly string[] =>
  [...PAGE.matchAll(new RegExp(`\\b${kind}s? ((?:\`[^\` ]+\`(?:, | and )?)+)`, 'g'))].flatMap(
    (match) => [...match[1]!.matchAll(/`([a-zA-Z._-]+)`/g)].map((name) => name[1]!),
  )

interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

describe('the page of the seeds', () => {
  test('links only to existing files', () => {
    const links = found(/\]\(([^)]+)\)/g)
    const missing = links.filter(
      (link) => !existsSync(path.join(ROOT, 'docs', link.split('#')[0]!)),
    )
    expect(missing).toEqual([])
    expect(links.length).toBeGreaterThan(60)
  })

  test('names only tests that exist, beside the file they are in', () => {
    const quoted = [...PAGE.matchAll(/\]\(\.\.\/([^)]+\.test\.ts)\) "([^"]+)"/g)]
    const missing = quoted.filter(([, file, name]) => !read(file!).includes(name!))
    expect(missing.map(([, , name]) => name)).toEqual([])
    expect(quoted.length).toBeGreaterThan(10)
  })

  test('names only routes that the API has', () => {
    const { paths } = JSON.parse(read('docs/reference/openapi.json')) as OpenApi
    const routes = found(/`((?:GET|POST|PUT|PATCH|DELETE) \/[^`]+)`/g)
    const missing = routes.filter((route) => {
      const [method, address] = route.split(' ') as [string, string]
      return paths[address]?.[method.toLowerCase()] === undefined
    })
    expect(missing).toEqual([])
    expect(routes.length).toBeGreaterThan(30)
  })

  test('names only tables, jobs and settings that exist', () => {
    const schema = read('apps/server/migrations/schema.sql')
    const settings = read('docs/reference/settings.md')
    const jobs = new Set(JOBS.map(({ name }) => name))

    expect(named('table').filter((name) => !schema.includes(`create table ${name} (`))).toEqual([])
    expect(named('job').filter((name) => !jobs.has(name))).toEqual([])
    expect(named('setting').filter((name) => !settings.includes(name))).toEqual([])
  })
})
