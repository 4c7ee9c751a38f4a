import { DAY_SECONDS } from '@placard/calendar'
import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import type { Database } from '../../../platform/database/connect.ts'
import { freshDatabase } from '../../../testing/services/database.ts'
import { actorOf, depsOn } from '../../../testing/world.ts'
import { SILENT_OBSERVER } from '../ingest/observer.ts'
import { adoptSeenUsers } from './operations-bootstrap.ts'
import {
  abandonVersion,
  adoptCountry,
  applyDeclaredCountry,
  type CountryChange,
  retryVersion,
} from './operations-declared.ts'
import type { UserService } from '../guard/services.ts'
import { listVersions } from './store-versions.ts'
import { declaredCountryVersion, userReviewState } from '../tables.ts'
import { suspectSomebody } from '../guard/testing-suspect.ts'

/** A User Service in memory: the countries it has, and whether it answers. */
function userService(known: Record<string, string | null>) {
  const state = { known, isAway: false, syncs: 0 }
  const service: UserService = {
    async findUser(userId) {
      return userId in known ? { declaredCountry: known[userId] ?? null } : undefined
    },
    async syncDeclaredCountry({ userId, country }) {
      if (state.isAway) throw new Error('the User Service is unavailable')
      state.syncs++
      known[userId] = country
      return 'synced'
    },
  }
  return { state, service }
}

async function world(known: Record<string, string | null> = { 'user-1': 'DE' }) {
  const { db } = await freshDatabase()
  const { state, service: users } = userService(known)
  return { ...depsOn({ db }), db, users, state, observer: SILENT_OBSERVER, audit: async () => {} }
}

const CALLER = actorOf({ id: 1n, kind: 'platform' })

const change = (fields: Partial<CountryChange> = {}): CountryChange => ({
  userId: 'user-1',
  country: 'FR',
  actor: { type: 'user', id: 'admin-1' },
  caller: CALLER,
  reasonCode: 'moved',
  comment: null,
  idempotencyKey: null,
  ...fields,
})

describe('stage 14: the versions of a declared country', () => {
  test('versions record who changed what, when and why, newest first', async () => {
    const deps = await world()
    await applyDeclaredCountry(deps, change({ comment: 'moved to Lyon' }))

    expect(await listVersions(deps.db, 'user-1')).toMatchObject([
      {
        versionNo: 1,
        country: 'FR',
        previousCountry: 'DE',
        actorId: 'admin-1',
        comment: 'moved to Lyon',
      },
      { versionNo: 0, country: 'DE', actorId: 'bootstrap', state: 'applied' },
    ])
  })

  test('versions are numbered without gaps, even if many changes arrive at once', async () => {
    const deps = await world()
    const attempts = Array.from({ length: 8 }, (_, i) =>
      applyDeclaredCountry(deps, change({ country: i % 2 ? 'FR' : 'GB' })),
    )
    const results = await Promise.allSettled(attempts)

    const versions = await listVersions(deps.db, 'user-1')
    // A request for the current country gets the current version.
    const applied = results.flatMap((result) =>
      result.status === 'fulfilled' ? result.value.versionNo : [],
    )
    expect(versions).toHaveLength(new Set(applied).size + 1)
    expect(versions.map(({ versionNo }) => versionNo)).toEqual(
      versions.map((_, place) => versions.length - 1 - place),
    )
    expect(deps.state.known['user-1']).toBe(versions[0]!.country)
  })
})

describe('stage 15 and 17: one controlled path to the User Service', () => {
  test('a change is applied once the User Service has it, and clears the review', async () => {
    const deps = await world()
    await suspectSomebody(deps, 'user-1')

    const version = await applyDeclaredCountry(deps, change())

    expect(version.state).toBe('applied')
    expect(deps.state.known['user-1']).toBe('FR')
    const [review] = await deps.db.select().from(userReviewState)
    expect(review).toMatchObject({ countryReviewRecommended: false, declaredCountry: 'FR' })
  })

  test('stage 20, User Service sync failure: the version waits, other changes are refused, a retry applies it', async () => {
    const deps = await world()
    deps.state.isAway = true
    await expect(applyDeclaredCountry(deps, change())).rejects.toMatchObject({
      kind: { code: 'sync_failed', status: 503 },
    })
    await expect(applyDeclaredCountry(deps, change({ country: 'GB' }))).rejects.toMatchObject({
      kind: { code: 'conflict', status: 409 },
    })
    expect(deps.state.known['user-1']).toBe('DE')

    deps.state.isAway = false
    const version = await retryVersion(deps, { userId: 'user-1', versionNo: 1 }, CALLER)

    expect(version).toMatchObject({ state: 'applied', country: 'FR', lastError: null })
    expect(deps.state.known['user-1']).toBe('FR')
  })

  test('an abandoned change restores the previous value', async () => {
    const deps = await world()
    deps.state.isAway = true
    await applyDeclaredCountry(deps, change()).catch(() => {})
    deps.state.isAway = false
    deps.state.known['user-1'] = 'FR' // It was stored after all; only the answer was lost.

    const version = await abandonVersion(deps, { userId: 'user-1', versionNo: 1 }, CALLER)

    expect(version.state).toBe('abandoned')
    expect(deps.state.known['user-1']).toBe('DE')
    expect(await applyDeclaredCountry(deps, change({ country: 'GB' }))).toMatchObject({
      versionNo: 2,
      previousCountry: 'DE',
    })
  })

  test('the same idempotency key is the same change', async () => {
    const deps = await world()
    const keyed = change({ idempotencyKey: 'ticket-1' })
    await applyDeclaredCountry(deps, keyed)

    const again = await applyDeclaredCountry(deps, keyed)

    expect(again.versionNo).toBe(1)
    expect(deps.state.syncs).toBe(1)
  })

  test('an unknown user has no country to change', async () => {
    const deps = await world()

    await expect(applyDeclaredCountry(deps, change({ userId: 'user-9' }))).rejects.toMatchObject({
      kind: { code: 'subject_not_found' },
    })
  })
})

describe('stage 21: users from before the geo profile', () => {
  test('an existing declared country becomes version 0, once, and the User Service is not written to', async () => {
    const deps = await world({ 'user-1': 'DE', 'user-2': null })
    for (const userId of ['user-1', 'user-2', 'user-9']) {
      await deps.db.insert(userReviewState).values({ userId })
    }

    expect(await adoptSeenUsers(deps)).toBe(3)
    expect(await adoptSeenUsers(deps)).toBe(0)
    await adoptCountry(deps, 'user-1')

    expect(await deps.db.select().from(declaredCountryVersion)).toMatchObject([
      { userId: 'user-1', versionNo: 0, country: 'DE', state: 'applied' },
    ])
    const [known] = await deps.db
      .select()
      .from(userReviewState)
      .where(eq(userReviewState.userId, 'user-1'))
    expect(known?.declaredCountry).toBe('DE')
    expect(deps.state.syncs).toBe(0)
  })

  test('a user for whom the User Service fails does not stop the others, and is tried again', async () => {
    const deps = await world({ 'user-1': 'DE', 'user-2': 'FR' })
    for (const userId of ['user-1', 'user-2']) {
      await deps.db.insert(userReviewState).values({ userId })
    }
    let isBroken = true
    const findUser = async (userId: string) => {
      if (userId === 'user-1' && isBroken) throw new Error('users.example answered 500')
      return deps.users.findUser(userId)
    }
    const asking = { ...deps, users: { ...deps.users, findUser } }

    expect(await adoptSeenUsers(asking)).toBe(2)
    expect(await countriesIn(deps)).toEqual({ 'user-1': null, 'user-2': 'FR' })
    isBroken = false
    deps.clock.advance(5 * 60)
    await adoptSeenUsers(asking)
    expect(await countriesIn(deps)).toEqual({ 'user-1': 'DE', 'user-2': 'FR' })
  })

  test('a service that fails for five users in a row is not called again', async () => {
    const deps = await world()
    for (let i = 0; i < 8; i++) {
      await deps.db.insert(userReviewState).values({ userId: `user-${i}` })
    }
    let asked = 0
    const findUser = async () => {
      asked++
      throw new Error('users.example answered 503')
    }

    await expect(adoptSeenUsers({ ...deps, users: { ...deps.users, findUser } })).rejects.toThrow(
      'answered 503',
    )
    expect(asked).toBe(5)
  })

  test('a user without a declared country is asked for again a day later', async () => {
    const deps = await world({ 'user-1': null })
    await deps.db.insert(userReviewState).values({ userId: 'user-1' })
    await adoptSeenUsers(deps)
    deps.state.known['user-1'] = 'DE'

    expect(await adoptSeenUsers(deps)).toBe(0)
    deps.clock.advance(DAY_SECONDS)
    await adoptSeenUsers(deps)

    expect(await countriesIn(deps)).toEqual({ 'user-1': 'DE' })
    expect(await listVersions(deps.db, 'user-1')).toMatchObject([{ versionNo: 0, country: 'DE' }])
  })
})

async function countriesIn({ db }: { db: Database }): Promise<Record<string, string | null>> {
  const users = await db.select().from(userReviewState)
  return Object.fromEntries(users.map(({ userId, declaredCountry }) => [userId, declaredCountry]))
}
