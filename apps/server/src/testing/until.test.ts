import { expect, test } from 'vitest'
import { until, within } from './until.ts'

test('what is waited for is returned as soon as it is there', async () => {
  const looks = [undefined, false, 0]

  expect(await until('a number comes', () => looks.shift())).toBe(0)
})

test('a wait that takes too long says what it waited for', async () => {
  const never = new Promise(() => {})

  await expect(until('pigs fly', () => false, { secondsMax: 0.01 })).rejects.toThrow(
    'Waited 0.01 s until pigs fly',
  )
  await expect(within('pigs fly', never, 0.01)).rejects.toThrow('Waited 0.01 s until pigs fly')
})

test('a look that fails ends the wait', async () => {
  const fails = () => Promise.reject(new Error('no such pig'))

  await expect(until('pigs fly', fails)).rejects.toThrow('no such pig')
  await expect(within('pigs fly', fails())).rejects.toThrow('no such pig')
})
