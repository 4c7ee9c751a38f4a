import { SEGMENT_LENGTH_MAX } from '@placard/contract/segments'
import { describe, expect, test } from 'vitest'
import { addKey } from '../../../testing/server.ts'
import { addAccount } from '../../../testing/world.ts'
import { aServingWorld, newRow, type ServingWorld } from '../../../testing/worlds/serving-world.ts'
import { BROWSER, startWhole } from '../../../testing/worlds/whole-world.ts'
import { publishers } from '../../inventory/tables.ts'

const WITHIN = { timeout: 20_000 }
/** Both publishers happen to have a user with this id. */
const USER = '42'

/** The Gazette, made first, and the Tribune: each with a placement, and one campaign booked on both. */
async function aTownOfTwo() {
  const world = await aServingWorld()
  const { deps } = world
  const tribune = await addAccount(deps, 'publisher')
  const [publisher] = await deps.db
    .insert(publishers)
    .values({ ...newRow(deps, tribune), name: 'Tribune', currency: 'EUR' })
    .returning()
  const places = [
    await world.addPlacement({ slug: 'gazette-top', mode: 'direct' }),
    await world.addPlacement({
      slug: 'tribune-top',
      mode: 'direct',
      accountId: tribune.id,
      publisherId: publisher!.id,
    }),
  ]
  const campaigns = []
  for (const place of places) campaigns.push((await world.addBooking(place)).campaign)
  return { ...world, tribune, tribuneId: publisher!.publicId, places, campaigns }
}

type Town = Awaited<ReturnType<typeof aTownOfTwo>>

/** The campaigns show to readers in this segment only. */
const targetSegment = ({ pool }: ServingWorld, segment: string) =>
  pool.query(
    `insert into campaign_targeting_rules
       (public_id, account_id, campaign_id, rule_type, operator, value, created_at, updated_at)
     select gen_random_uuid(), account_id, id, 'user_segment', 'in', $1, now(), now() from campaigns`,
    [{ values: [segment] }],
  )

async function open(town: Town) {
  const whole = await startWhole(town)
  const { http } = whole
  const scopes = ['serving:write']
  const keys = {
    gazette: await addKey(whole, { account: town.seller, scopes }),
    tribune: await addKey(whole, { account: town.tribune, scopes }),
    platform: await addKey(whole, { account: await addAccount(town.deps, 'platform'), scopes }),
  }
  type Whose = keyof typeof keys
  const call = (as: Whose, request: Call) => http.inject({ ...request, headers: keys[as] })
  /** How many banners each placement shows. */
  const shown = async (as: Whose | undefined, body: object, slugs = SLUGS) => {
    const headers = { ...BROWSER, ...(as && keys[as]) }
    const payload = { slugs, ...body }
    const answer = await http.inject({ method: 'POST', url: SERVE, headers, payload })
    const { placements } = answer.json<{ placements: { banners: unknown[] }[] }>()
    return placements.map(({ banners }) => banners.length)
  }
  return {
    ...whole,
    keys,
    call,
    shown,
    say: (as: Whose, segments: readonly string[], query = '') =>
      call(as, {
        method: 'PUT',
        url: `/api/v1/users/${USER}/segments${query}`,
        payload: { segments },
      }),
  }
}

interface Call {
  readonly method: 'PUT' | 'POST' | 'DELETE'
  readonly url: string
  readonly payload?: object
}

const FORGET: Call = { method: 'DELETE', url: `/api/v1/users/${USER}` }
const tokenOf = (segments: readonly string[]): Call => ({
  method: 'POST',
  url: '/api/v1/context-tokens',
  payload: { segments },
})
const SERVE = '/api/v1/banners/serve'
const SLUGS = ['gazette-top', 'tribune-top']

describe('segments', () => {
  test('what one publisher says of an id, another neither reads, empties nor replaces', async () => {
    const town = await aTownOfTwo()
    await targetSegment(town, 'vip')
    const { say, shown, call } = await open(town)

    await say('gazette', ['vip'])
    await expect.poll(() => shown(undefined, { userId: USER }), WITHIN).toEqual([1, 0])
    expect(await shown(undefined, { userId: USER }, SLUGS.toReversed())).toEqual([0, 1])

    await say('tribune', ['other'])
    await say('tribune', [])
    expect(
      (await say('tribune', [], `?publisherId=${town.publisher.publicId}`)).json(),
    ).toMatchObject({ code: 'PUBLISHER_NOT_FOUND' })
    await call('tribune', FORGET)
    // The change feed is in order: once this has arrived, all before it has.
    await call('gazette', {
      method: 'PUT',
      url: '/api/v1/users/43/segments',
      payload: { segments: ['vip'] },
    })
    await expect.poll(() => shown(undefined, { userId: '43' }), WITHIN).toEqual([1, 0])
    expect(await shown(undefined, { userId: USER })).toEqual([1, 0])
  })

  test('a platform key speaks for the publisher that it names, else for the first one', async () => {
    const town = await aTownOfTwo()
    await targetSegment(town, 'vip')
    const { say, shown } = await open(town)

    await say('platform', ['vip'], `?publisherId=${town.tribuneId}`)
    await expect.poll(() => shown(undefined, { userId: USER }), WITHIN).toEqual([0, 1])
    await say('platform', ['vip'])
    await expect.poll(() => shown(undefined, { userId: USER }), WITHIN).toEqual([1, 1])
  })

  test('a key and a context token are believed for the readers of their own publisher only', async () => {
    const town = await aTownOfTwo()
    await targetSegment(town, 'vip')
    const { shown, call } = await open(town)
    const userContext = { segments: ['vip'] }
    const made = await call('tribune', tokenOf(['vip']))
    const { token: contextToken } = made.json<{ token: string }>()

    expect(await shown('tribune', { userContext })).toEqual([0, 1])
    expect(await shown('gazette', { userContext })).toEqual([1, 0])
    expect(await shown('platform', { userContext })).toEqual([1, 1])
    expect(await shown(undefined, { contextToken })).toEqual([0, 1])
  })

  test('a rule and a reader may have the same segments, the longest included', async () => {
    const longest = '漢'.repeat(SEGMENT_LENGTH_MAX)
    const town = await aTownOfTwo()
    const { call, shown, say, adminPost } = await open(town)
    for (const { publicId } of town.campaigns) {
      const rule = { ruleType: 'user_segment', operator: 'in', value: { values: [longest] } }
      const made = await adminPost('/api/v1/admin/targeting-rules', {
        ...rule,
        campaignId: publicId,
      })
      expect(made).toMatchObject({ value: { values: [longest] } })
    }
    const made = await call('tribune', tokenOf([longest]))
    await expect.poll(() => shown(undefined, {}), WITHIN).toEqual([0, 0])

    expect(await shown(undefined, { contextToken: made.json().token })).toEqual([0, 1])
    expect(await shown('tribune', { userContext: { segments: [longest] } })).toEqual([0, 1])
    expect((await say('gazette', [longest])).statusCode).toBe(200)
    await expect.poll(() => shown(undefined, { userId: USER }), WITHIN).toEqual([1, 0])
  })
})

describe('caps, records and events', () => {
  test('a cap counts for each publisher’s reader alone', async () => {
    const town = await aTownOfTwo()
    await town.pool.query(
      `insert into frequency_caps (public_id, account_id, advertiser_id, max_impressions_per_user,
                                   "window", created_at, updated_at)
       select gen_random_uuid(), account_id, id, 1, 'Day', now(), now() from advertisers`,
    )
    const { shown } = await open(town)

    expect(await shown(undefined, { userId: USER }, ['gazette-top'])).toEqual([1])
    expect(await shown(undefined, { userId: USER }, ['gazette-top'])).toEqual([0])
    expect(await shown(undefined, { userId: USER }, ['tribune-top'])).toEqual([1])
    expect(await shown(undefined, { userId: USER }, ['tribune-top'])).toEqual([0])
  })

  test('an event without a token finds the reader of the publisher that it is about', async () => {
    const town = await aTownOfTwo()
    const { shown, post, admin, keys } = await open(town)
    await shown(undefined, { userId: USER }, ['tribune-top'])
    const [, campaign] = town.campaigns
    const banner = await town.pool.query<{ id: string }>(
      `select b.public_id as id from banners b join banner_assignments a on a.banner_id = b.id
        where a.campaign_id = $1`,
      [campaign!.id],
    )
    const tell = (correlationId: string, headers: Record<string, string> = {}) =>
      post(
        '/api/v1/banners/events/impression',
        { bannerPublicId: banner.rows[0]!.id, userId: USER, correlationId },
        { ...BROWSER, ...headers },
      )

    // Its own readers are all that a publisher's caller can mean.
    await tell('01990000-0000-7000-8000-00000000000a', keys.gazette)
    await tell('01990000-0000-7000-8000-00000000000b')

    await expect
      .poll(() => admin(`/tracking/delivery/${campaign!.publicId}`), WITHIN)
      .toMatchObject({ rendered: 1 })
    const { rows } = await town.pool.query('select label from impressions order by label')
    expect(rows).toEqual([{ label: 'unmatched' }, { label: 'valid' }])
  })
})

describe('forgetting', () => {
  test('a publisher forgets its own reader, an operator the reader of every publisher', async () => {
    const town = await aTownOfTwo()
    await targetSegment(town, 'vip')
    const whole = await open(town)
    const { say, shown, call, adminPost, serving } = whole
    await say('gazette', ['vip'])
    await say('tribune', ['vip'])
    await expect.poll(() => shown(undefined, { userId: USER }), WITHIN).toEqual([1, 1])
    await serving.recorder.flush()
    const known = async () => {
      const { rows } = await town.pool.query(
        `select (select count(distinct user_key)::int from auctions) as decisions,
                (select count(*)::int from user_segments where segments <> '{}') as segments`,
      )
      return rows[0]
    }
    expect(await known()).toEqual({ decisions: 2, segments: 2 })

    const own = await call('tribune', FORGET)
    expect(own.json()).toMatchObject({ erased: { segments: 1 } })
    expect(await known()).toEqual({ decisions: 1, segments: 1 })
    await expect.poll(() => shown(undefined, { userId: USER }), WITHIN).toEqual([1, 0])

    await say('tribune', ['vip'])
    expect(await adminPost('/api/v1/privacy/forget', { userId: USER })).toMatchObject({
      erased: { segments: 2 },
    })
    await serving.recorder.flush()
    expect(await known()).toMatchObject({ segments: 0 })
    await expect.poll(() => shown(undefined, { userId: USER }), WITHIN).toEqual([0, 0])
  })
})
