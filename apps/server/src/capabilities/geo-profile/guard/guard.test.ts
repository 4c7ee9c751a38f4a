import { DAY_SECONDS } from '@placard/calendar'
import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { startMailServer } from '../../../testing/services/mail-server.ts'
import { addAccount } from '../../../testing/world.ts'
import { noticesOn } from '../../notices/testing.ts'
import { decideBlock, performBlocks } from './operations-blocks.ts'
import { reviewUsers } from '../review/operations-review.ts'
import { type SessionBlock, type SessionService } from './services.ts'
import { saveDeclaredCountry } from '../review/store-reviews.ts'
import { sessionBlockAction, userReviewState } from '../tables.ts'
import { geoWorld, type GeoWorld, groundsOf } from '../testing.ts'

async function setSwitch({ db }: GeoWorld, name: string, isOn: boolean): Promise<void> {
  await db.execute(sql`
    insert into switches (name, is_on, note, version, updated_at)
    values (${`geo-profile.${name}`}, ${isOn}, '', 1, now())
    on conflict (name) do update set is_on = excluded.is_on, version = switches.version + 1`)
}

/** Three ten-minute windows in a country. */
async function use(geo: GeoWorld, session: string, country: string): Promise<void> {
  for (let window = 0; window < 3; window++) {
    await geo.see('user-1', session, country)
    geo.clock.advance(600)
  }
}

/** An owner at home for a month and, on its last days, a thief at night. */
async function stolen(geo: GeoWorld): Promise<void> {
  geo.clock.moveTo('2030-03-01T12:00:00Z')
  await saveDeclaredCountry(geo.db, { userId: 'user-1', country: 'DE', now: geo.clock.now() })
  for (let day = 0; day < 20; day++) {
    const startOfDay = geo.clock.now().getTime()
    await use(geo, 'phone', 'DE')
    if (day >= 16) {
      geo.clock.advance(10 * 3_600)
      await use(geo, 'thief', 'VN')
    }
    geo.clock.moveTo(new Date(startOfDay + DAY_SECONDS * 1_000).toISOString())
  }
  await geo.processAll()
}

/** Both at the same hour. */
async function meet(geo: GeoWorld): Promise<void> {
  await use(geo, 'phone', 'DE')
  await use(geo, 'thief', 'VN')
  await geo.processAll()
}

const actions = ({ db }: GeoWorld) =>
  db
    .select({ session: sessionBlockAction.deviceSessionId, state: sessionBlockAction.state })
    .from(sessionBlockAction)

interface TestSessions {
  readonly service: SessionService
  readonly blocked: string[]
  readonly unblocked: SessionBlock[]
  failures: number
}

function sessionService(): TestSessions {
  const state: TestSessions = {
    blocked: [],
    unblocked: [],
    failures: 0,
    service: {
      async blockSession({ deviceSessionId }: SessionBlock) {
        if (state.failures-- > 0) throw new Error('Auth/Session is unavailable')
        state.blocked.push(deviceSessionId)
      },
      async unblockSession(unblock: SessionBlock) {
        if (state.failures-- > 0) throw new Error('Auth/Session is unavailable')
        state.unblocked.push(unblock)
      },
    },
  }
  return state
}

describe('stage 22 to 24: shadow, review, block', () => {
  test('stage 22: a stolen session is recorded in shadow mode, and blocked once blocking is on', async () => {
    const geo = await geoWorld()
    const auth = sessionService()
    const deps = { ...geo, sessions: auth.service }
    await stolen(geo)
    expect(await actions(geo)).toEqual([])

    await meet(geo)
    await performBlocks(deps)
    expect(await actions(geo)).toEqual([{ session: 'thief', state: 'skipped_shadow' }])
    expect(auth.blocked).toEqual([])

    await setSwitch(geo, 'blocking', true)
    await meet(geo)
    await performBlocks(deps)
    expect(await actions(geo)).toEqual([{ session: 'thief', state: 'succeeded' }])
    expect(auth.blocked).toEqual(['thief'])

    await meet(geo)
    await performBlocks(deps)
    expect(auth.blocked).toEqual(['thief'])
  })

  test('stage 23: in review mode a person decides, and a dismissed session is left alone', async () => {
    const geo = await geoWorld()
    const auth = sessionService()
    const deps = { ...geo, sessions: auth.service }
    await setSwitch(geo, 'block-review', true)
    await stolen(geo)
    await meet(geo)
    const [waiting] = await geo.db.select().from(sessionBlockAction)
    expect(waiting).toMatchObject({
      state: 'awaiting_review',
      evidence: { target: { country: 'VN' } },
    })

    const grounds = groundsOf('trust-1')
    const deciding = { ...geo, audit: async () => {} }
    await decideBlock(deciding, { publicId: waiting!.publicId, verdict: 'dismiss', grounds })
    await setSwitch(geo, 'blocking', true)
    await meet(geo)
    await performBlocks(deps)

    expect(await actions(geo)).toEqual([{ session: 'thief', state: 'dismissed' }])
    expect(auth.blocked).toEqual([])
  })

  test('stage 24: the kill switch stops detection, and holds back waiting blocks', async () => {
    const geo = await geoWorld()
    const auth = sessionService()
    await setSwitch(geo, 'blocking', true)
    await stolen(geo)
    await setSwitch(geo, 'detection', false)
    await meet(geo)
    expect(await actions(geo)).toEqual([])

    await setSwitch(geo, 'detection', true)
    await meet(geo)
    await setSwitch(geo, 'detection', false)
    await performBlocks({ ...geo, sessions: auth.service })
    expect(auth.blocked).toEqual([])
  })
})

describe('stage 13: blocking', () => {
  test('stage 20, block-request downstream failure: the block is tried again, and recorded', async () => {
    const geo = await geoWorld()
    const auth = sessionService()
    const deps = { ...geo, sessions: auth.service }
    auth.failures = 2
    await setSwitch(geo, 'blocking', true)
    await stolen(geo)
    await meet(geo)
    for (let i = 0; i < 3; i++) {
      await performBlocks(deps)
      geo.clock.advance(300)
    }

    const [action] = await geo.db.select().from(sessionBlockAction)
    expect(action).toMatchObject({ state: 'succeeded', attempts: 3 })
    expect(auth.blocked).toEqual(['thief'])
  })

  test('a block fails after six attempts, and a new suspicion may start another', async () => {
    const geo = await geoWorld()
    const auth = sessionService()
    const deps = { ...geo, sessions: auth.service }
    auth.failures = 6
    await setSwitch(geo, 'blocking', true)
    await stolen(geo)
    await meet(geo)
    for (let i = 0; i < 6; i++) {
      await performBlocks(deps)
      geo.clock.advance(300)
    }
    expect(await actions(geo)).toEqual([{ session: 'thief', state: 'failed' }])

    await meet(geo)
    await performBlocks(deps)

    expect(auth.blocked).toEqual(['thief'])
  })
})

describe('unblocking a session', () => {
  async function blocked() {
    const geo = await geoWorld()
    const auth = sessionService()
    await setSwitch(geo, 'blocking', true)
    await stolen(geo)
    await meet(geo)
    await performBlocks({ ...geo, sessions: auth.service })
    const [action] = await geo.db.select().from(sessionBlockAction)
    const unblock = () =>
      decideBlock(
        { ...geo, audit: async () => {} },
        { publicId: action!.publicId, verdict: 'unblock', grounds: groundsOf('trust-1') },
      )
    const perform = () => performBlocks({ ...geo, sessions: auth.service })
    return { geo, auth, unblock, perform }
  }

  test('an unblock is sent to Auth/Session with its reason and in the person’s name, even while detection is off', async () => {
    const { geo, auth, unblock, perform } = await blocked()
    await setSwitch(geo, 'detection', false)

    await unblock()
    await perform()

    expect(auth.unblocked).toEqual([
      {
        deviceSessionId: 'thief',
        reasonCode: 'known_traveller',
        actor: { type: 'user', id: 'trust-1' },
      },
    ])
    expect(await actions(geo)).toEqual([{ session: 'thief', state: 'unblocked' }])
  })

  test('an unblocked session stays unblocked when the same two sessions meet again', async () => {
    const { geo, auth, unblock, perform } = await blocked()
    await unblock()
    await perform()

    await meet(geo)
    await perform()

    expect(auth.blocked).toEqual(['thief'])
    expect(await actions(geo)).toEqual([{ session: 'thief', state: 'unblocked' }])
  })

  test('a session stays blocked while Auth/Session is unavailable, and the unblock is tried again', async () => {
    const { geo, auth, unblock, perform } = await blocked()
    auth.failures = 6
    await unblock()
    for (let i = 0; i < 6; i++) {
      await perform()
      geo.clock.advance(300)
    }
    expect(await actions(geo)).toEqual([{ session: 'thief', state: 'unblock_failed' }])

    await unblock()
    await perform()

    expect(await actions(geo)).toEqual([{ session: 'thief', state: 'unblocked' }])
  })
})

test('a session that waits for a person sends one notice, with a link to it', async () => {
  const { url: smtpUrl, mails } = await startMailServer()
  const geo = await geoWorld({}, 'https://ads.company.example/')
  const deps = { ...geo, audit: async () => {}, audited: [] }
  const { addRecipient, sendDue } = noticesOn(deps, { smtpUrl })
  const platform = await addAccount(deps, 'platform')
  await addRecipient(platform, { mailTo: ['trust@placard.example'], topics: ['geo-session'] })
  await setSwitch(geo, 'block-review', true)

  await stolen(geo)
  await meet(geo)
  await meet(geo)
  await sendDue()

  expect(mails).toHaveLength(1)
  const text = mails[0]!.raw.replaceAll('=\r\n', '')
  expect(text).toContain('https://ads.company.example/trust/user-1')
})

describe('stage 10 and 11: review and its intent', () => {
  /** A month in another country than declared. */
  async function moved(geo: GeoWorld): Promise<void> {
    geo.clock.moveTo('2030-03-01T12:00:00Z')
    await saveDeclaredCountry(geo.db, { userId: 'user-1', country: 'DE', now: geo.clock.now() })
    for (let day = 0; day < 30; day++) {
      const startOfDay = geo.clock.now().getTime()
      await use(geo, 'phone', 'FR')
      geo.clock.moveTo(new Date(startOfDay + DAY_SECONDS * 1_000).toISOString())
    }
    await geo.processAll()
  }

  const intents = async ({ db }: GeoWorld) =>
    (
      await db.execute(
        sql`select data->>'idempotency_key' as key from outbox where type like 'geo.%'`,
      )
    ).rows

  test('the flag is durable, and one transition sends one notice', async () => {
    const geo = await geoWorld()
    await moved(geo)
    await use(geo, 'phone', 'FR')
    await geo.processAll()

    const [state] = await geo.db.select().from(userReviewState)
    expect(state).toMatchObject({
      countryReviewRecommended: true,
      transitionSeq: 1,
      evidence: { candidateCountry: 'FR' },
    })
    expect(await intents(geo)).toEqual([{ key: 'geo:review:user-1:1' }])
  })

  test('stage 11: subscribed administrators get one mail per transition, however often the rule runs', async () => {
    const { url: smtpUrl, mails } = await startMailServer()
    const geo = await geoWorld()
    const deps = { ...geo, audit: async () => {}, audited: [] }
    const { addRecipient, sendDue } = noticesOn(deps, { smtpUrl })
    const platform = await addAccount(deps, 'platform')
    await addRecipient(platform, { mailTo: ['trust@placard.example'], topics: ['geo-review'] })

    await moved(geo)
    await reviewUsers(geo, ['user-1'], { notify: true })
    await sendDue()
    await sendDue()

    expect(mails).toHaveLength(1)
    expect(mails[0]!.to).toEqual(['trust@placard.example'])
    expect(mails[0]!.raw).toContain('User user-1 declares DE and connects from FR')
  })

  test('stage 11: an unavailable mail server changes nothing about the flag', async () => {
    const geo = await geoWorld()
    const deps = { ...geo, audit: async () => {}, audited: [] }
    const { addRecipient, sendDue, tried } = noticesOn(deps, { smtpUrl: 'smtp://127.0.0.1:1' })
    const platform = await addAccount(deps, 'platform')
    await addRecipient(platform, { mailTo: ['trust@placard.example'], topics: ['geo-review'] })

    await moved(geo)
    await sendDue()

    expect(tried).toEqual(['mail waiting'])
    const [state] = await geo.db.select().from(userReviewState)
    expect(state?.countryReviewRecommended).toBe(true)
  })

  test('nobody is notified while notices are switched off, and the flag is set nevertheless', async () => {
    const geo = await geoWorld()
    await setSwitch(geo, 'notify', false)
    await moved(geo)

    const [state] = await geo.db.select().from(userReviewState)
    expect(state?.countryReviewRecommended).toBe(true)
    expect(await intents(geo)).toEqual([])
  })

  test('running the rule again changes nothing', async () => {
    const geo = await geoWorld()
    await moved(geo)

    await reviewUsers(geo, ['user-1'], { notify: true })

    expect(await intents(geo)).toHaveLength(1)
  })
})
