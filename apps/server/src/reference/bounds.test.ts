import { AMOUNT_MICROS_MAX } from '@placard/money'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { JsonSchema } from '../testing/walking/openapi.ts'
import { type Leaf, leavesOf } from '../testing/walking/bad-input.ts'

const REFERENCE = path.join(import.meta.dirname, '../../../../docs/reference/openapi.json')

interface Described {
  readonly operationId: string
  readonly parameters?: readonly {
    readonly in: string
    readonly name: string
    readonly schema: JsonSchema
  }[]
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: JsonSchema }>>
  }
}

/** Every field in every request of the API. */
async function allLeaves(): Promise<readonly (Leaf & { readonly where: string })[]> {
  const { paths } = JSON.parse(await readFile(REFERENCE, 'utf8')) as {
    paths: Readonly<Record<string, Readonly<Record<string, Described>>>>
  }
  return Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .flatMap(({ operationId, parameters = [], requestBody }) => {
      const body = requestBody?.content['application/json']?.schema
      const inPath = parameters.filter((one) => one.in !== 'header')
      return [
        ...inPath.flatMap((one) => leavesOf(one.schema, `/${one.name}`)),
        ...(body ? leavesOf(body) : []),
      ].map((leaf) => ({ ...leaf, where: `${operationId} ${leaf.path}` }))
    })
}

const SIZED: ReadonlySet<string> = new Set(['uuid', 'date', 'date-time', 'email'])

/** Why a value of this kind has no bound. Undefined if it has one. */
function unbounded(schema: JsonSchema): string | undefined {
  const { type, format = '', pattern, maxLength, maximum, minimum, enum: words } = schema
  if (words !== undefined || schema.const !== undefined) return undefined
  if (type === 'integer' || type === 'number')
    return minimum === undefined || maximum === undefined ? 'a number' : undefined
  if (type === 'array') return Object.hasOwn(schema, 'maxItems') ? undefined : 'a list'
  if (type !== 'string' || maxLength !== undefined || SIZED.has(format)) return undefined
  return pattern === undefined ? 'a text' : undefined
}

test('every number, text and list of a request has a bound in the contract', async () => {
  const leaves = await allLeaves()
  const found = leaves.flatMap(({ where, options }) =>
    options.flatMap((option) => unbounded(option) ?? []).map((what) => `${where}: ${what}`),
  )

  expect(leaves.length).toBeGreaterThan(500)
  expect(found).toEqual([])
})

test('every amount of a request has the same bound', async () => {
  const amounts = (await allLeaves()).filter(({ path }) => path.endsWith('Micros'))
  const isTaken = (text: string) => (leaf: Leaf) =>
    leaf.options.some(({ pattern = '' }) => new RegExp(pattern).test(text))
  const most = String(AMOUNT_MICROS_MAX)
  const beyond = String(AMOUNT_MICROS_MAX + 1n)

  expect(amounts.length).toBeGreaterThan(10)
  expect(amounts.filter((leaf) => !isTaken(most)(leaf)).map(({ where }) => where)).toEqual([])
  expect(amounts.filter(isTaken(beyond)).map(({ where }) => where)).toEqual([])
})

test('nine amounts at the bound add up exactly in a double, and a thousand bids at twice the bound fit a bigint', () => {
  expect(9n * AMOUNT_MICROS_MAX).toBeLessThan(2n ** 53n)
  expect(2_000n * AMOUNT_MICROS_MAX).toBeLessThan(2n ** 63n)
})
