import { expect, test } from 'vitest'
import { aRecordingWorld, loopTurn } from './testing-recorder.ts'

async function rush(records: number) {
  const setting = await aRecordingWorld()
  for (let i = 0; i < records; i++) setting.recorder.record(setting.aRecord())
  await loopTurn()
  return setting
}

test('in a rush a full batch waits, and is written in the first turn that brings few', async () => {
  const { recorder, timers, aRecord } = await rush(500)
  expect(timers.waiting()).toEqual([150])

  recorder.record(aRecord())
  await loopTurn()

  expect(timers.waiting()).toEqual([])
  await recorder.flush()
})

test('a batch waits no longer than it may, however long the rush', async () => {
  const { recorder, timers, aRecord, resultsOf } = await rush(520)
  for (let i = 0; i < 16; i++) recorder.record(aRecord())
  await loopTurn()

  timers.pass(150)
  while ((await resultsOf())['added'] !== 500) await loopTurn()

  await recorder.flush()
  expect(await resultsOf()).toEqual({ added: 536 })
})

test('what has come while a batch waited is written with it, and does not wait again', async () => {
  const { recorder, timers, aRecord, resultsOf } = await rush(900)
  for (let i = 0; i < 700; i++) recorder.record(aRecord())
  await loopTurn()
  expect(timers.waiting()).toEqual([150])

  timers.pass(150)
  while ((await resultsOf())['added'] !== 1_000) await loopTurn()

  await recorder.flush()
})

test('in a rush records are written as soon as too many wait', async () => {
  const { recorder, timers, aRecord } = await rush(500)
  for (let i = 0; i < 3_500; i++) recorder.record(aRecord())
  await loopTurn()

  expect(timers.waiting()).toEqual([])
  await recorder.flush()
})

test('what is flushed does not wait for the rush to end', async () => {
  const { recorder, timers, aRecord, rows } = await rush(500)
  for (let i = 0; i < 20; i++) recorder.record(aRecord())

  await recorder.flush()

  expect(timers.waiting()).toEqual([])
  expect(await rows('select count(*)::int as count from auctions')).toEqual([{ count: 520 }])
})
