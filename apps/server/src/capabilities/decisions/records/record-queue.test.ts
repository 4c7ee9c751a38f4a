import { expect, test } from 'vitest'
import { fixedClock, seededRandom } from '../../../testing/fixed.ts'
import { idsFrom } from '../../../platform/ids.ts'
import type { PackedBatch } from './packed-batch.ts'
import { RecordQueue } from './record-queue.ts'
import { recordsFrom } from './testing-records.ts'

const aRecord = recordsFrom(idsFrom({ clock: fixedClock(), random: seededRandom() }))
const WAITING = 20

function fill(queue: RecordQueue): PackedBatch[] {
  for (let count = 0; count < WAITING; count++) queue.push(aRecord())
  return Array.from({ length: WAITING }, () => queue.take()!)
}

test('a written batch is cleared and reused, also after many were queued', () => {
  const queue = new RecordQueue({ batchMax: 1, bytesMax: 1_048_576 })
  const first = fill(queue)
  for (const batch of first) queue.giveBack(batch)
  expect(first.map(({ size }) => size)).toEqual(first.map(() => 0))

  const second = fill(queue)

  expect(new Set(second)).toEqual(new Set(first))
  expect(second.map(({ size }) => size)).toEqual(second.map(() => 1))
})
