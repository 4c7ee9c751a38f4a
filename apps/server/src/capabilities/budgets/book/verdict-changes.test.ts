import { expect, test } from 'vitest'
import { Campaign } from './buyers.ts'
import { VerdictChanges } from './verdict-changes.ts'

const QUARTER_MS = 900_000

test('a campaign waits once, and can wait again after it was taken', () => {
  const changes = new VerdictChanges()
  const [first, second] = [new Campaign(1, 0), new Campaign(2, 11)]
  for (const campaign of [first, second, first]) changes.enqueue(campaign)
  expect(changes.size).toBe(2)

  expect(changes.dequeue()).toBe(first)
  expect(changes.size).toBe(1)
  changes.enqueue(first)
  expect([changes.dequeue(), changes.dequeue(), changes.dequeue()]).toEqual([
    second,
    first,
    undefined,
  ])
  expect(changes.size).toBe(0)
})

test('more campaigns than the list keeps are taken in order, each once', () => {
  const changes = new VerdictChanges()
  const campaigns = Array.from({ length: 25_000 }, (_, at) => new Campaign(at, at))
  for (const campaign of campaigns) changes.enqueue(campaign)

  const taken = campaigns.map(() => changes.dequeue()?.key)

  expect(taken).toEqual(campaigns.map(({ key }) => key))
  expect(changes.dequeue()).toBeUndefined()
})

test('only a new verdict is published; parked is every campaign that may not spend', () => {
  const changes = new VerdictChanges()
  const campaign = new Campaign(1, 0)

  expect(changes.publish(campaign, 'may-spend')).toBe(false)
  expect(changes.publish(campaign, 'exhausted')).toBe(true)
  expect(changes.publish(campaign, 'exhausted')).toBe(false)
  expect([...changes.parked]).toEqual([campaign])
  expect(changes.publish(campaign, 'may-spend')).toBe(true)
  expect([...changes.parked]).toEqual([])
})

test('parked campaigns are judged again once in each quarter-hour', () => {
  const changes = new VerdictChanges()
  const campaign = new Campaign(1, 0)
  changes.publish(campaign, 'ahead-of-plan')
  const queuedAt = (nowMs: number) => {
    changes.enqueueParked(nowMs)
    return changes.dequeue()
  }

  expect(queuedAt(QUARTER_MS)).toBe(campaign)
  expect(queuedAt(QUARTER_MS + 1)).toBeUndefined()
  expect(queuedAt(2 * QUARTER_MS - 1)).toBeUndefined()
  expect(queuedAt(2 * QUARTER_MS)).toBe(campaign)
})
