import { LOAD_WINDOW_MS } from '../../../platform/background/load.ts'
import { expect, test } from 'vitest'
import { aRecordingWorld, nextLoopTick } from './testing-recorder.ts'
import { until } from '../../../testing/until.ts'

/** Records that arrive under high load. */
async function aBurst(records: number) {
  let isHigh = true
  const setting = await aRecordingWorld({ load: { isHigh: () => isHigh } })
  const add = async (count: number) => {
    for (let i = 0; i < count; i++) setting.recorder.record(setting.aRecord())
    await nextLoopTick()
  }
  await add(records)
  const firstBatch = () =>
    until('a batch is written', async () => (await setting.resultsOf())['added'])
  return { ...setting, add, firstBatch, loadFalls: () => (isHigh = false) }
}

test('under high load a full batch waits, and is written when the load falls', async () => {
  const { timers, firstBatch, loadFalls } = await aBurst(500)
  expect(timers.waiting()).toEqual([LOAD_WINDOW_MS])

  loadFalls()
  timers.pass(LOAD_WINDOW_MS)

  expect(await firstBatch()).toBe(500)
})

test('under high load a batch waits at most 150 ms', async () => {
  const { timers, firstBatch } = await aBurst(520)

  for (let waitedMs = 0; waitedMs < 150; waitedMs += LOAD_WINDOW_MS) {
    timers.pass(LOAD_WINDOW_MS)
    await nextLoopTick()
  }

  expect(await firstBatch()).toBe(500)
})

test('under high load records are written as soon as 4,000 are queued', async () => {
  const { timers, add, firstBatch } = await aBurst(500)
  await add(3_500)

  timers.pass(LOAD_WINDOW_MS)

  expect(await firstBatch()).toBe(500)
})

test('a flush does not wait for the load to fall', async () => {
  const { recorder, timers, add, rows } = await aBurst(500)
  await add(20)

  const flushed = recorder.flush()
  timers.pass(LOAD_WINDOW_MS)
  await flushed

  expect(await rows('select count(*)::int as count from auctions')).toEqual([{ count: 520 }])
})
