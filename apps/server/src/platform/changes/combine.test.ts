import { expect, test } from 'vitest'
import { freshDatabase } from '../../testing/database.ts'
import { cursorNow } from '../database/ordered-feed.ts'
import { type ChangeSubscriber, combineSubscribers } from './changes.ts'

test('one feed serves several subscribers; if one fails, all get the changes again', async () => {
  const heard: string[] = []
  let broken = true
  const subscriber = (name: string): ChangeSubscriber => ({
    onChanges() {
      heard.push(name)
      if (name === 'second' && broken) throw new Error('later')
    },
    onReload: () => cursorNow(db),
    onReconcile: () => void heard.push(`${name} reconciles`),
  })
  const { db } = await freshDatabase()
  const both = combineSubscribers(db, [subscriber('first'), subscriber('second')])

  await expect(both.onChanges([])).rejects.toThrow('later')
  broken = false
  await both.onChanges([])
  await both.onReconcile?.()

  expect(heard).toEqual([
    'first',
    'second',
    'first',
    'second',
    'first reconciles',
    'second reconciles',
  ])
})
