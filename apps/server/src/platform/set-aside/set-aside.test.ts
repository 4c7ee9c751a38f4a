import { expect, test } from 'vitest'
import { freshDatabase } from '../../testing/services/database.ts'
import { depsOn } from '../../testing/world.ts'
import { forEachPart } from './set-aside.ts'

const keyOf = (key: number) => key
const ROWS = [1, 2, 3, 4, 5, 6, 7, 8, 9]

async function aRound(rows: readonly number[]) {
  const connection = await freshDatabase()
  const deps = depsOn(connection)
  const round = { reader: 'tests.read', entity: 'campaigns', rows, keyOf }
  const listed = async () =>
    (
      await connection.pool.query(
        'select entity_id::int as id, reason from set_aside_rows order by 1',
      )
    ).rows
  return { deps, round, listed }
}

test('work on many rows is done for all but those that fail by themselves, which are set aside', async () => {
  const { deps, round, listed } = await aRound(ROWS)
  const done: number[] = []
  let bad = [3, 8]
  const work = async (part: readonly number[]) => {
    if (part.some((key) => bad.includes(key))) throw new RangeError('far too wide\0')
    done.push(...part)
  }

  const { refused } = await forEachPart(deps, round, work)

  expect(done).toEqual([1, 2, 4, 5, 6, 7, 9])
  expect(refused.map(({ entityId }) => entityId)).toEqual([3, 8])
  expect(await listed()).toEqual([
    { id: 3, reason: 'far too wide' },
    { id: 8, reason: 'far too wide' },
  ])

  bad = [8]
  await forEachPart(deps, round, work)
  expect(await listed()).toEqual([{ id: 8, reason: 'far too wide' }])
})

test('an unavailable database ends the work on many rows, and no row is blamed', async () => {
  const { deps, round, listed } = await aRound(ROWS)
  let tries = 0
  const away = Object.assign(new Error('away'), { code: 'ECONNREFUSED' })
  const work = async () => {
    tries++
    throw away
  }

  await expect(forEachPart(deps, round, work)).rejects.toBe(away)
  expect(tries).toBe(1)
  expect(await listed()).toEqual([])
})
