import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { openApiReference } from './openapi.ts'
import { freshDatabase } from '../testing/services/database.ts'
import { startServer } from '../testing/server.ts'

const REFERENCE = path.join(import.meta.dirname, '../../../../docs/reference/openapi.json')

test('the committed API description equals the one that the API serves', async () => {
  expect(await readFile(REFERENCE, 'utf8')).toBe(await openApiReference(await freshDatabase()))
})

test('the API serves its description to programs of any origin', async () => {
  const { http } = await startServer()

  const answer = await http.inject({
    url: '/openapi.json',
    headers: { origin: 'https://tools.example' },
  })

  expect(answer.json()).toMatchObject({ openapi: '3.1.0', info: { title: 'Placard' } })
  expect(answer.headers['access-control-allow-origin']).toBe('https://tools.example')
})

test('the API serves its description to people', async () => {
  const { http } = await startServer()

  const page = await http.inject({ url: '/docs' })
  const description = await http.inject({ url: '/docs/json' })

  expect(page.statusCode).toBe(200)
  expect(page.headers['content-type']).toContain('text/html')
  expect(page.headers['content-security-policy']).toContain("default-src 'none'; script-src 'self'")
  expect(description.json()).toMatchObject({ info: { title: 'Placard' } })
})

test('every operation has its own name, a summary and a tag', async () => {
  const { paths } = JSON.parse(await openApiReference(await freshDatabase())) as { paths: Paths }
  const operations = Object.values(paths).flatMap((path) => Object.values(path))

  const names = operations.map(({ operationId }) => operationId)
  expect(new Set(names).size).toBe(names.length)
  for (const { operationId, summary, tags } of operations) {
    expect(operationId).toMatch(/^[a-z][A-Za-z]+$/)
    expect(summary).toMatch(/^[A-Z].*[^.]$/)
    expect(tags).toHaveLength(1)
  }
})

type Paths = Record<
  string,
  Record<string, { operationId: string; summary: string; tags: readonly string[] }>
>
