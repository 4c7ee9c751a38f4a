import { expect, onTestFinished, test } from 'vitest'
import { ShareOfTime } from './share-of-time.ts'

/** Works in pieces of 1 ms while turns bring requests of so many, again and again; tells after which turn each came. */
async function turnsOfPieces(pieces: number, requestsMs: readonly number[]) {
  let nowMs = 0
  let turn = 0
  const serve = () => {
    nowMs += requestsMs[turn++ % requestsMs.length]!
    requests = setImmediate(serve)
  }
  let requests = setImmediate(serve)
  onTestFinished(() => clearImmediate(requests))
  const share = new ShareOfTime({ nowMs: () => nowMs })

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
  expect(await turnsOfPieces(3, [0.5, 0.5, 0])).toEqual([3, 6, 9])
})

test('after a stall those who have waited are answered before the work goes on', async () => {
  expect(await turnsOfPieces(5, [0, 40, 5, 0])).toEqual([1, 4, 5, 8, 9])
})

test('where requests have not ceased for 50 ms, the work has a fifth of their time', async () => {
  expect(await turnsOfPieces(4, [0.5])).toEqual([101, 111, 121, 131])
})

test('where turns are long there are as many pieces after each as their share allows', async () => {
  expect(await turnsOfPieces(9, [20])).toEqual([3, 3, 3, 3, 4, 4, 4, 4, 5])
})
