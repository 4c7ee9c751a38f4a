import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { listProblems, problemsReference, remedyOf } from './problems.ts'

const REFERENCE = path.join(import.meta.dirname, '../../../../docs/reference/problems.md')

test('the committed reference of problems equals the code', async () => {
  expect(await readFile(REFERENCE, 'utf8')).toBe(await problemsReference())
})

test('every problem has a remedy', async () => {
  const silent = (await listProblems()).filter((kind) => !remedyOf(kind))

  expect(silent.map(({ code }) => code)).toEqual([])
})

test('every code is spelled alike and has a status of the right kind', async () => {
  for (const { code, status, title } of await listProblems()) {
    expect(code).toMatch(/^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$|^[a-z]+(_[a-z]+)*$/)
    expect(status).toBeGreaterThanOrEqual(400)
    expect(status).toBeLessThan(600)
    expect(title).toMatch(/^[A-Z].*[^.]$/)
  }
})
