import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { addUser } from '../../../testing/server.ts'
import type { TestDeps } from '../../../testing/world.ts'
import { auditLog } from '../../accounts/tables.ts'
import { SILENT_OBSERVER } from '../ingest/observer.ts'
import { processObservations } from '../ingest/operations-process.ts'
import { addObservations } from '../ingest/store-queue.ts'
import { saveDeclaredCountry, saveTransition } from '../review/store-reviews.ts'
import { SUSPICION_PROFILES } from '../profile/suspicion.ts'
import { addressIn, testCountries } from '../testing.ts'
import { suspectSomebody } from '../guard/testing-suspect.ts'
import { trustDesk } from './testing-desk.ts'

const evidence = {
  candidateCountry: 'FR',
  declaredShare: 0.01,
  candidateShare: 0.97,
  evidenceDays: 22,
  evidenceSlots: 80,
}

describe('stage 16: review candidates', () => {
  test('review candidates are listed newest first, and paging is stable while the list grows', async () => {
    const { deps, get } = await trustDesk()
    const recommend = async (userId: string) => {
      const now = deps.clock.now()
      await saveDeclaredCountry(deps.db, { userId, country: 'DE', now })
      const reasonCode = 'declared_country_unused'
      await saveTransition(deps.db, { userId, isRecommended: true, reasonCode, evidence, now })
    }
    for (const userId of ['user-b', 'user-a']) await recommend(userId)
    deps.clock.advance(60)
    await recommend('user-c')

    const first = await get('review-candidates?country_review_recommended=true&limit=2')
    deps.clock.advance(60)
    await recommend('user-d')
    const second = await get(`review-candidates?limit=2&cursor=${first.next_cursor}`)

    const ids = (page: { items: { user_id: string }[] }) => page.items.map((item) => item.user_id)
    expect(ids(first)).toEqual(['user-c', 'user-a'])
    expect(ids(second)).toEqual(['user-b'])
    expect(second.next_cursor).toBeUndefined()
    expect(first.items[0]).toMatchObject({
      country_review_recommended: true,
      evidence: { candidate_country: 'FR', evidence_days: 22 },
    })
  })
})

describe('stage 18: the profile that a reviewer reads', () => {
  test('the profile is grouped by device session, ranked, with shares and summaries, and without an address', async () => {
    const { deps, get } = await trustDesk()
    const processing = {
      ...deps,
      countries: testCountries,
      rule: SUSPICION_PROFILES.standard,
      observer: SILENT_OBSERVER,
      batchMax: 100,
    }
    const { publicId: userId } = await addUser(deps, 'advertiser')
    for (const [session, country] of [
      ['phone', 'DE'],
      ['phone', 'DE'],
      ['phone', 'FR'],
      ['laptop', 'DE'],
      ['laptop', 'nowhere'],
    ] as const) {
      const note = { userId, deviceSessionId: session, ipAddress: addressIn(country) }
      const at = deps.clock.now()
      await addObservations(deps.db, [note], { at, switchName: 'geo-profile.ingest' })
      deps.clock.advance(600)
    }
    await processObservations(processing)

    const profile = await get(`users/${userId}/geo-profile`)

    expect(profile.sessions).toMatchObject([
      {
        device_session_id: 'laptop',
        ranked_countries: [{ observed_country: 'DE', share: 1 }],
        observations_30_days: [{ observations: 1 }, { observations: 1 }],
      },
      {
        device_session_id: 'phone',
        usual_connection_country: null,
        ranked_countries: [{ observed_country: 'DE' }, { observed_country: 'FR' }],
      },
    ])
    expect(JSON.stringify(profile)).not.toMatch(/49\.0\.0\.1|ip_address/)
  })
})

describe('stage 17: applying a change', () => {
  test('a person acts in their own name, whatever the request says', async () => {
    const { deps, post, get, trustId } = await trustDesk()
    const { publicId: userId } = await addUser(deps, 'advertiser')

    const answer = await post(`users/${userId}/declared-country`, {
      country: 'FR',
      reason_code: 'moved',
      actor: { type: 'system', id: 'somebody else' },
    })

    expect(answer.json()).toMatchObject({ state: 'applied', actor: { type: 'user', id: trustId } })
    expect(await get(`users/${userId}/geo-profile`)).toMatchObject({ declared_country: 'FR' })
  })
})

describe('a person’s decision is stored with its reason', () => {
  test('a dismissed review names the person and the reason, in the profile and the audit log', async () => {
    const { deps, post, get, trustId } = await trustDesk()
    const { publicId: userId } = await addUser(deps, 'advertiser')

    const answer = await post(`users/${userId}/review/dismiss`, {
      reason_code: 'known_traveller',
      comment: 'Works in Lyon until June',
    })

    expect(answer.statusCode).toBe(200)
    const { decisions } = await get(`users/${userId}/geo-profile`)
    expect(decisions).toEqual([
      {
        about: 'review',
        block_action_id: null,
        device_session_id: null,
        verdict: 'dismiss',
        reason_code: 'known_traveller',
        comment: 'Works in Lyon until June',
        actor: { type: 'user', id: trustId },
        decided_at: deps.clock.now().toISOString(),
      },
    ])
    expect(await auditOf(deps, userId)).toEqual([
      { action: 'geo-review.dismiss', after: expect.objectContaining({ userId }) },
    ])
  })

  test('nothing is dismissed without a reason', async () => {
    const { deps, post, get } = await trustDesk()
    const { publicId: userId } = await addUser(deps, 'advertiser')

    const answer = await post(`users/${userId}/review/dismiss`, { comment: 'Because' })

    expect(answer.statusCode).toBe(400)
    expect(await get(`users/${userId}/geo-profile`)).toMatchObject({ decisions: [] })
  })

  test('a session is decided once: a second decision changes nothing and is not recorded', async () => {
    const { deps, post, get } = await trustDesk()
    const { publicId: userId } = await addUser(deps, 'advertiser')
    const action = await suspectSomebody(deps, userId)
    const judge = (how: string, reason: string) =>
      post(`block-actions/${action}/${how}`, { reason_code: reason })

    await judge('dismiss', 'company_network')
    const again = await judge('dismiss', 'other')
    const otherwise = await judge('block', 'stolen_session')

    expect([again.statusCode, otherwise.statusCode]).toEqual([200, 409])
    expect(await get(`users/${userId}/geo-profile`)).toMatchObject({
      block_actions: [{ state: 'dismissed' }],
      decisions: [{ about: 'session', block_action_id: action, reason_code: 'company_network' }],
    })
  })
})

test('suspicious sessions of all users are listed by outcome, page by page', async () => {
  const { deps, post, get } = await trustDesk()
  const people = [await addUser(deps, 'advertiser'), await addUser(deps, 'advertiser')]
  const [first, second] = people.map(({ publicId }) => publicId)
  const dismissed = await suspectSomebody(deps, first!, 'device-1')
  const waiting = await suspectSomebody(deps, second!, 'device-2')
  await post(`block-actions/${dismissed}/dismiss`, { reason_code: 'company_network' })

  const newest = await get('block-actions?limit=1')
  const older = await get(`block-actions?limit=1&cursor=${newest.next_cursor}`)

  expect(newest.items).toMatchObject([{ id: waiting, user_id: second, state: 'awaiting_review' }])
  expect(older).toMatchObject({ items: [{ id: dismissed, user_id: first }] })
  expect(older.next_cursor).toBeUndefined()
  expect((await get('block-actions?state=dismissed')).items).toHaveLength(1)
})

const auditOf = ({ db }: TestDeps, entityId: string) =>
  db
    .select({ action: auditLog.action, after: auditLog.after })
    .from(auditLog)
    .where(eq(auditLog.entityId, entityId))
