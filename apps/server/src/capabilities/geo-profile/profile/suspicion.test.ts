import { DAY_MS, HOUR_MS } from '@placard/calendar'
import { describe, expect, test } from 'vitest'
import { newUserProfile, observe, type UserProfile } from './profile.ts'
import { judgeSuspicion, type Suspicion, SUSPICION_PROFILES } from './suspicion.ts'

const START = Date.UTC(2030, 0, 1)
const rule = SUSPICION_PROFILES.standard

function see(
  profile: UserProfile,
  {
    session,
    country,
    day,
    hour = 12,
  }: { session: string; country: string; day: number; hour?: number },
): Suspicion | undefined {
  let found: Suspicion | undefined
  for (let window = 0; window < 3; window++) {
    const atMs = START + day * DAY_MS + hour * HOUR_MS + window * 600_000
    const seen = { deviceSessionId: session, observedCountry: country, atMs, isNewWindow: true }
    observe(profile, seen)
    found ??= judgeSuspicion(profile, { deviceSessionId: session, atMs, rule })
  }
  return found
}

/** An owner at home in Germany for this many days, on a phone and a laptop. */
function owner(days = 30): UserProfile {
  const profile = newUserProfile('user-1', 'DE')
  for (let day = 0; day < days; day++) {
    see(profile, { session: 'phone', country: 'DE', day })
    see(profile, { session: 'laptop', country: 'DE', day, hour: 18 })
  }
  return profile
}

const thief = (day: number, hour = 13) => ({ session: 'thief', country: 'VN', day, hour })

describe('stage 12: a suspicious session', () => {
  test('a session is suspicious if it is unknown and abroad while the owner is at home', () => {
    const profile = owner()
    for (const day of [25, 27, 28]) see(profile, thief(day, 3))
    see(profile, { session: 'phone', country: 'DE', day: 30 })

    const suspicion = see(profile, thief(30))

    expect(suspicion).toMatchObject({
      target: { deviceSessionId: 'thief', country: 'VN' },
      against: { deviceSessionId: 'phone', country: 'DE' },
    })
  })

  test('the suspicious session is the target, whichever of the two is seen last', () => {
    const profile = owner()
    for (const day of [25, 27, 28]) see(profile, thief(day, 3))
    see(profile, thief(30, 12))

    const suspicion = see(profile, { session: 'phone', country: 'DE', day: 30, hour: 13 })

    expect(suspicion?.target.deviceSessionId).toBe('thief')
  })

  test('a session hours apart from the owner’s is not suspicious', () => {
    const profile = owner()
    for (const day of [25, 27, 28]) see(profile, thief(day, 3))

    expect(see(profile, thief(30, 3))).toBeUndefined()
  })

  test('a phone that changes its country is not suspicious: it travels with its owner', () => {
    const profile = owner()
    for (const day of [30, 31, 32]) see(profile, { session: 'phone', country: 'FR', day, hour: 8 })
    see(profile, { session: 'laptop', country: 'DE', day: 33 })

    expect(see(profile, { session: 'phone', country: 'FR', day: 33, hour: 13 })).toBeUndefined()
  })

  test('a new device abroad is not suspicious if a known one vouches for it', () => {
    const profile = owner()
    see(profile, { session: 'hotel', country: 'FR', day: 29, hour: 1 })
    see(profile, { session: 'phone', country: 'FR', day: 31, hour: 8 })
    see(profile, { session: 'laptop', country: 'DE', day: 31 })

    expect(see(profile, { session: 'hotel', country: 'FR', day: 31, hour: 13 })).toBeUndefined()
  })

  test('a single wrong address is not suspicious: the country must last for four days', () => {
    const profile = owner()
    see(profile, { session: 'phone', country: 'DE', day: 30 })

    expect(see(profile, { session: 'tablet', country: 'AT', day: 30, hour: 13 })).toBeUndefined()
  })

  test('a new device seen on five days beside a device known from home is not suspicious', () => {
    const meet = (profile: UserProfile) => {
      for (const day of [26, 27, 28, 29]) {
        see(profile, { session: 'hotel', country: 'FR', day, hour: 3 })
      }
      see(profile, { session: 'laptop', country: 'DE', day: 30 })
      return see(profile, { session: 'hotel', country: 'FR', day: 30, hour: 13 })
    }
    const atHome = owner()
    const travelling = owner()
    see(travelling, { session: 'phone', country: 'FR', day: 30, hour: 8 })

    expect(meet(atHome)?.target.deviceSessionId).toBe('hotel')
    expect(meet(travelling)).toBeUndefined()
  })

  test('a guest is not suspicious: a session active on fewer than half of its days', () => {
    const daily = owner()
    const guest = owner()
    for (const day of [27, 28, 29]) see(daily, thief(day, 3))
    for (const day of [20, 23, 26]) see(guest, thief(day, 3))
    for (const profile of [daily, guest]) see(profile, { session: 'phone', country: 'DE', day: 30 })

    expect(see(daily, thief(30))?.target.deviceSessionId).toBe('thief')
    expect(see(guest, thief(30))).toBeUndefined()
  })

  test('two people who share the account are not suspicious', () => {
    const profile = newUserProfile('user-1', 'DE')
    const found: (Suspicion | undefined)[] = []
    for (let day = 0; day < 60; day++) {
      see(profile, { session: 'phone', country: 'DE', day })
      found.push(see(profile, { session: 'friend', country: 'VN', day, hour: 13 }))
    }

    expect(found.filter(Boolean)).toEqual([])
  })

  test('a session in a country that the user’s other sessions keep using is not suspicious', () => {
    const profile = newUserProfile('user-1', 'DE')
    for (let day = 0; day < 30; day++) {
      see(profile, { session: 'phone', country: 'DE', day })
      see(profile, { session: 'friend', country: 'VN', day, hour: 20 })
    }
    see(profile, { session: 'new phone of the friend', country: 'VN', day: 27, hour: 3 })
    see(profile, { session: 'phone', country: 'DE', day: 30 })

    const seen = { session: 'new phone of the friend', country: 'VN', day: 30, hour: 13 }
    expect(see(profile, seen)).toBeUndefined()
  })

  test('a user’s only session is never suspicious', () => {
    const profile = newUserProfile('user-1', 'DE')
    for (let day = 0; day < 30; day++) see(profile, { session: 'phone', country: 'DE', day })

    expect(see(profile, { session: 'phone', country: 'VN', day: 30 })).toBeUndefined()
  })

  test('the rule profiles differ in their thresholds', () => {
    const { permissive, standard, strict } = SUSPICION_PROFILES

    expect(permissive.windowMs).toBeLessThan(standard.windowMs)
    expect(strict.windowMs).toBeGreaterThan(standard.windowMs)
    expect(strict.activeDaysMin).toBeLessThan(standard.activeDaysMin)
  })
})
