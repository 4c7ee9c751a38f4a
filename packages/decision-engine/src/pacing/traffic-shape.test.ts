import { describe, expect, test } from 'vitest'
import {
  finishBucket,
  finishDay,
  newTrafficShape,
  noteArrival,
  relativeVolume,
  trafficCdf,
} from './traffic-shape.ts'

describe('the learned traffic shape', () => {
  test('is flat before anything is known', () => {
    const { weekday } = newTrafficShape()

    expect(trafficCdf(weekday, 0.5)).toBe(0.5)
    expect(relativeVolume(weekday, 0.3)).toBe(1)
  })

  test('learns a finished bucket at once on the first day, with a small weight', () => {
    let shape = newTrafficShape()
    for (let at = 0; at < 10; at++) shape = noteArrival(shape, 0)
    shape = finishBucket(shape, 0, 'weekday')
    for (let at = 0; at < 30; at++) shape = noteArrival(shape, 1.5 / 24)
    shape = finishBucket(shape, 1, 'weekday')

    expect(shape.weekday[0]).toBeCloseTo(1)
    expect(shape.weekday[1]).toBeCloseTo(0.9 + 0.1 * (30 / 12))
  })

  test('mixes in a whole day at its end, with a weight of 20 %', () => {
    let shape = newTrafficShape()
    for (let at = 0; at < 24; at++) shape = noteArrival(shape, 0)

    shape = finishDay(shape, 'weekend')

    expect(shape.weekend[0]).toBeCloseTo(0.2 * 24 + 0.8)
    expect(shape.weekend[1]).toBeCloseTo(0.8)
    expect(shape.weekday[0]).toBe(1)
    expect(shape.today.every((count) => count === 0)).toBe(true)
  })

  test('learns nothing from a day without traffic', () => {
    expect(finishDay(newTrafficShape(), 'weekday').weekday).toEqual(newTrafficShape().weekday)
  })

  test('after the first day a finished bucket waits for the end of the day', () => {
    const second = finishDay(newTrafficShape(), 'weekday')

    let shape = second
    for (let at = 0; at < 10; at++) shape = noteArrival(shape, 0)
    shape = finishBucket(shape, 0, 'weekday')
    const next = finishBucket({ ...shape, bucketAverage: 2 }, 0, 'weekday')

    expect([shape.weekday[0], next.weekday[0]]).toEqual([1, 1])
  })

  test('has a busy hour above the mean and others below it', () => {
    const volumes = newTrafficShape().weekday.with(12, 25)

    expect(relativeVolume(volumes, 0.5)).toBe(12.5)
    expect(relativeVolume(volumes, 0)).toBe(0.5)
    expect(
      relativeVolume(
        volumes.map(() => 0),
        0,
      ),
    ).toBe(1)
  })

  test('grows linearly inside a bucket and ends at one', () => {
    const volumes = newTrafficShape().weekday.with(0, 25)

    expect(trafficCdf(volumes, 0.5 / 24)).toBeCloseTo(12.5 / 48)
    expect(trafficCdf(volumes, 1)).toBeCloseTo(1)
  })
})
