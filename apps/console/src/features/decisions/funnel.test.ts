import { expect, test } from 'vitest'
import { funnelOf } from './funnel.ts'

const gates = [
  { gate: 'time', text: 'In time' },
  { gate: 'targeting', text: 'For this reader' },
  { gate: 'auction', text: 'Wins' },
]
const count = (reason: string, gate: string | null, count: number) => ({
  reason,
  gate,
  count,
  text: reason,
})

test('each check lists its candidates and what removed them, and the winner is left at the end', () => {
  const stages = funnelOf({
    gates,
    counts: [
      count('outbid', 'auction', 5),
      count('country', 'targeting', 3),
      count('paused', 'time', 2),
      count('won', null, 1),
      count('language', 'targeting', 1),
    ],
  })

  expect(stages).toMatchObject([
    { name: 'In time', came: 12, left: 10 },
    { name: 'For this reader', came: 10, left: 6 },
    { name: 'Wins', came: 6, left: 1 },
  ])
  expect(stages[1].stopped.map(({ reason }) => reason)).toEqual(['country', 'language'])
})

test('without candidates the funnel is empty', () => {
  const stages = funnelOf({ gates, counts: [] })

  expect(stages.every(({ came, left }) => came === 0 && left === 0)).toBe(true)
})
