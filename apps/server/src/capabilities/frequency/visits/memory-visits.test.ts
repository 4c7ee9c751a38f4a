import { expect, test } from 'vitest'
import { createMemoryVisits } from './memory-visits.ts'
import { VisitTable } from './visit-table.ts'
import { visitsContract } from './visits-contract.ts'

visitsContract('in memory', createMemoryVisits)

test('a table of visits grows, keeps everything, and forgets without losing what lies behind', () => {
  const table = new VisitTable()
  const keys = Array.from({ length: 5_000 }, (_, i) => `reader ${i}`)
  for (const [i, key] of keys.entries()) table.put(key, { firstSeconds: 4e9 + i, seenDay: 20_000 })
  expect(table.size).toBe(5_000)

  for (const key of keys.filter((_, i) => i % 3 === 0)) table.forget(key)

  expect(keys.map((key) => table.find(key)?.firstSeconds)).toEqual(
    keys.map((_, i) => (i % 3 === 0 ? undefined : 4e9 + i)),
  )
  for (let i = 0; i < 5_000; i++) table.put(`other ${i}`, { firstSeconds: i, seenDay: 20_000 })
  expect(keys.filter((key) => table.find(key) !== undefined)).toHaveLength(3_333)
})
