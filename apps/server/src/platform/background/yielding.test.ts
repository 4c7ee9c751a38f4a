import { expect, onTestFinished, test } from 'vitest'
import { ShareOfTime } from './yielding.ts'

/** Works in pieces of 1 ms while turns bring requests of so many, again and again; tells after which turn each came. */
async function turnsOfPieces(pieces: number, requestsMs: readonly number[], patienceMs = 0) {
  let nowMs = 0
  let turn = 0
  const serve = () => {
    nowMs += requestsMs[turn++ % requestsMs.length]!
    requests = setImmediate(serve)
  }
  let requests = setImmediate(serve)
  onTestFinished(() => clearImmediate(requests))
  const share = new ShareOfTime({ patienceMs, uptime: { nowMs: () => nowMs } })

  const turns: number[] = []
  while (turns.length < pieces) {
    await share.run(() => {
      nowMs++
      turns.push(turn)
    })
  }
  return turns
}

test('where nobody asks, each turn has a piece of the work', async () => {
  expect(await turnsOfPieces(4, [0])).toEqual([1, 2, 3, 4])
})

test('a piece waits for a turn without requests', async () => {
  expect(await turnsOfPieces(4, [0.5, 0.5, 0])).toEqual([1, 3, 6, 9])
})

test('where requests never cease, the work has a fifth of their time', async () => {
  expect(await turnsOfPieces(4, [0.5])).toEqual([1, 11, 21, 31])
})

test('after a long turn there are as many pieces as their share allows', async () => {
  expect(await turnsOfPieces(9, [20])).toEqual([1, 1, 1, 1, 2, 2, 2, 2, 3])
})

test('with patience, those who have waited in a stall are answered before the work goes on', async () => {
  expect(await turnsOfPieces(5, [0, 40, 5, 0], 50)).toEqual([1, 4, 5, 8, 9])
})

test('with patience, the work has its share where requests have not ceased for that long', async () => {
  expect(await turnsOfPieces(4, [0.5], 50)).toEqual([101, 111, 121, 131])
})
