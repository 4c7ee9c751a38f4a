import { expect, test } from 'vitest'
import { freshDatabase } from '../../testing/services/database.ts'
import { cursorNow } from '../database/ordered-feed.ts'
import type { ChangeSubscriber } from './changes.ts'
import { combineSubscribers } from './combine.ts'

const unavailable = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })

/** Three on one feed; the middle one throws whatever is set. */
async function threeSubscribers() {
  const { db } = await freshDatabase()
  const heard: string[] = []
  const errors: unknown[] = []
  const fault: { error?: Error } = {}
  let nowMs = 1_000
  const hear = (name: string, what: string) => {
    heard.push(`${name} ${what}`)
    if (name === 'second' && fault.error) throw fault.error
  }
  const subscriber = (name: string): ChangeSubscriber => ({
    onChanges: () => hear(name, 'changes'),
    onReload() {
      hear(name, 'reloads')
      return cursorNow(db)
    },
    onReconcile: () => hear(name, 'reconciles'),
  })
  const all = combineSubscribers(db, ['first', 'second', 'third'].map(subscriber), {
    uptime: { nowMs: () => nowMs },
    onError: (error) => errors.push(error),
  })
  const heardBy = async (call: () => unknown) => {
    heard.length = 0
    await call()
    return [...heard]
  }
  const pass = (ms: number) => void (nowMs += ms)
  return { all, fault, errors, heardBy, pass }
}

test('a subscriber that fails is left behind, and the others get every change', async () => {
  const { all, fault, errors, heardBy } = await threeSubscribers()
  fault.error = new RangeError('this row is no row')

  const first = await heardBy(() => all.onChanges([]))
  const next = await heardBy(() => all.onChanges([]))
  const repaired = await heardBy(() => all.onReconcile?.())

  expect(first).toEqual(['first changes', 'second changes', 'third changes'])
  expect(next).toEqual(['first changes', 'third changes'])
  expect(repaired).toEqual(['first reconciles', 'third reconciles'])
  expect(errors).toEqual([fault.error])
})

test('who was left behind reloads everything, ever more rarely, until that succeeds', async () => {
  const { all, fault, heardBy, pass } = await threeSubscribers()
  fault.error = new RangeError('this row is no row')
  await all.onChanges([])

  expect(await heardBy(() => all.catchUp?.())).toEqual([])
  pass(2_000)
  expect(await heardBy(() => all.catchUp?.())).toEqual(['second reloads'])
  expect(await heardBy(() => all.catchUp?.())).toEqual([])
  expect(all.behindMs?.()).toBe(2_000)

  delete fault.error
  pass(30_000)
  expect(await heardBy(() => all.catchUp?.())).toEqual(['second reloads'])
  expect(all.behindMs?.()).toBe(0)
  expect(await heardBy(() => all.onChanges([]))).toHaveLength(3)
})

test('while PostgreSQL is unavailable nobody is left behind: all get the same changes again', async () => {
  const { all, fault } = await threeSubscribers()
  fault.error = unavailable

  await expect(all.onChanges([])).rejects.toThrow('ECONNREFUSED')

  expect(all.behindMs?.()).toBe(0)
})
