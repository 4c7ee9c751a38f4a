import { DAY_MS } from '@placard/calendar'
import { describe, expect, test } from 'vitest'
import { newUserProfile, observe, type UserProfile } from '../profile/profile.ts'
import { judgeReview } from './review.ts'

const START = Date.UTC(2030, 0, 1)
const CALM = { isRecommended: false, snoozedUntilMs: null }

/** A day in a country: eight counted ten-minute windows. */
function spend(profile: UserProfile, country: string, days: readonly number[]): number {
  for (const day of days) {
    for (let window = 0; window < 8; window++) {
      observe(profile, {
        deviceSessionId: 's',
        observedCountry: country,
        atMs: START + day * DAY_MS + window * 600_000,
        isNewWindow: true,
      })
    }
  }
  return profile.lastSeenMs
}

const days = (from: number, until: number) =>
  Array.from({ length: until - from }, (_, i) => from + i)

describe('stage 10: country_review_recommended', () => {
  test('a review is recommended for a user who has moved, with the evidence', () => {
    const profile = newUserProfile('user-1', 'DE')
    spend(profile, 'DE', days(0, 20))
    const atMs = spend(profile, 'FR', days(20, 50))

    const verdict = judgeReview(profile, CALM, { atMs })

    expect(verdict).toMatchObject({
      kind: 'recommend',
      reasonCode: 'declared_country_unused',
      evidence: { candidateCountry: 'FR', evidenceDays: 30 },
    })
  })

  test('a journey of two weeks recommends no review', () => {
    const profile = newUserProfile('user-1', 'DE')
    spend(profile, 'DE', days(0, 30))
    const atMs = spend(profile, 'FR', days(30, 44))

    expect(judgeReview(profile, CALM, { atMs })).toEqual({ kind: 'keep' })
  })

  test('a review needs a known account, enough days and enough activity', () => {
    const young = newUserProfile('user-1', 'DE')
    const sparse = newUserProfile('user-2', 'DE')

    const youngAtMs = spend(young, 'FR', days(0, 20))
    const sparseAtMs = spend(sparse, 'FR', [0, 10, 20, 30, 40, 50])

    expect(judgeReview(young, CALM, { atMs: youngAtMs })).toEqual({ kind: 'keep' })
    expect(judgeReview(sparse, CALM, { atMs: sparseAtMs })).toEqual({ kind: 'keep' })
  })

  test('a review needs one other country, not many', () => {
    const profile = newUserProfile('user-1', 'DE')
    const rounds = days(0, 40)
    spend(profile, 'FR', rounds)
    spend(profile, 'GB', rounds)
    const atMs = spend(profile, 'VN', rounds)

    expect(judgeReview(profile, CALM, { atMs })).toEqual({ kind: 'keep' })
  })

  test('a review is recommended once, and cleared when the declared country is used again', () => {
    const profile = newUserProfile('user-1', 'DE')
    const flagged = { ...CALM, isRecommended: true }
    const abroadMs = spend(profile, 'FR', days(0, 40))
    expect(judgeReview(profile, flagged, { atMs: abroadMs })).toEqual({ kind: 'keep' })

    const homeMs = spend(profile, 'DE', days(40, 60))

    expect(judgeReview(profile, flagged, { atMs: homeMs })).toMatchObject({ kind: 'clear' })
  })

  test('no review is recommended after a dismissal, or without a declared country', () => {
    const profile = newUserProfile('user-1', 'DE')
    const atMs = spend(profile, 'FR', days(0, 40))
    const snoozed = { isRecommended: false, snoozedUntilMs: atMs + 1 }

    expect(judgeReview(profile, snoozed, { atMs })).toEqual({ kind: 'keep' })
    expect(judgeReview({ ...profile, declaredCountry: null }, CALM, { atMs })).toEqual({
      kind: 'keep',
    })
  })
})
