import { expect, test } from 'vitest'
import { funnelOf } from './funnel.ts'

const count = (reason: string, count: number) => ({ reason, count, text: reason })

test('each gate says how many came, and the winner is left at the end', () => {
  const stages = funnelOf([
    count('won', 1),
    count('country', 4),
    count('outbid', 5),
    count('campaign-not-active', 2),
  ])

  expect(stages[0]).toMatchObject({ came: 12, left: 10 })
  expect(stages.find(({ name }) => name === 'Meant for this reader')).toMatchObject({
    came: 10,
    left: 6,
  })
  expect(stages.at(-1)).toMatchObject({ came: 6, left: 1 })
})

test('a reason that the picture does not know still counts', () => {
  expect(funnelOf([count('won', 1), count('brand-new-gate', 3)]).at(-1)).toMatchObject({
    came: 4,
    left: 1,
  })
})

test('nothing in, nothing out', () => {
  expect(funnelOf([]).every(({ came, left }) => came === 0 && left === 0)).toBe(true)
})
