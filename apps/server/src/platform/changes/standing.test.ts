import { sql } from 'drizzle-orm'
import { expect, onTestFinished, test, vi } from 'vitest'
import { freshDatabase } from '../../testing/services/database.ts'
import { systemTimers } from '../background/timers.ts'
import { FEED_START } from '../database/ordered-feed.ts'
import { type ChangeSubscriber, followChanges, isFollowing } from './changes.ts'

const eventually = (look: () => void) => vi.waitFor(look, { timeout: 10_000, interval: 5 })

/** A follower whose uptime the test moves on. */
async function aFollower(subscriber: Partial<ChangeSubscriber> = {}) {
  const { db, pool, url } = await freshDatabase()
  let nowMs = 0
  let seen = 0
  const follower = followChanges({
    db,
    url,
    timers: systemTimers,
    uptime: { nowMs: () => nowMs },
    from: FEED_START,
    pollMs: 20,
    subscriber: {
      onChanges: (changes) => void (seen += changes.length),
      onReload: () => Promise.reject(new Error('no reload expected')),
      ...subscriber,
    },
    onError: () => {},
  })
  onTestFinished(() => follower.stop())
  const makeChange = (name: string) =>
    db.execute(sql`insert into switches (name, is_on, updated_at) values (${name}, true, now())`)
  return {
    db,
    pool,
    follower,
    makeChange,
    seen: () => seen,
    pass: (ms: number) => void (nowMs += ms),
  }
}

test('a feed that an open transaction holds back stands still, and moves again after it', async () => {
  const { pool, follower, makeChange, seen, pass } = await aFollower()
  await makeChange('before')
  await eventually(() => expect(seen()).toBe(1))
  const open = await pool.connect()
  await open.query(
    `begin; insert into switches (name, is_on, updated_at) values ('o', true, now())`,
  )
  await makeChange('behind')
  await eventually(() => {
    pass(1_000)
    expect(follower.standing().stalledMs).toBeGreaterThan(30_000)
  })
  expect(isFollowing(follower)).toBe(false)

  await open.query('commit')
  open.release()

  await eventually(() => expect(seen()).toBe(3))
  await eventually(() => expect(isFollowing(follower)).toBe(true))
})

test('a subscriber that never takes a change makes the feed stand still', async () => {
  const { follower, makeChange, pass } = await aFollower({
    onChanges: () => Promise.reject(new RangeError('not this one')),
  })
  await makeChange('refused')

  await eventually(() => {
    pass(1_000)
    expect(isFollowing(follower)).toBe(false)
  })
  expect(follower.standing().isUnavailable).toBe(false)
})
