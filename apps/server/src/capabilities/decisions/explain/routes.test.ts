import { createConsentReader } from '../../consent/index.ts'
import { DAY_SECONDS } from '@placard/calendar'
import type { Explained } from '@placard/contract/explain'
import {
  applyChange,
  type Campaign,
  createIndex,
  decide,
  finishLoad,
  type LiveState,
  seededDraws,
} from '@placard/decision-engine'
import { describe, expect, test } from 'vitest'
import { freshDatabase } from '../../../testing/services/database.ts'
import { allowed, serverWith } from '../../../testing/http.ts'
import { actorOf, addAccount } from '../../../testing/world.ts'
import { ROLE_PERMISSIONS } from '../../accounts/index.ts'
import { marketOn } from '../../campaigns/testing.ts'
import { Content } from '../catalogue/content.ts'
import { createExplainer } from './explain.ts'
import { prepareAuctionDays } from '../jobs.ts'
import { createReaders } from '../readers/reader-of-request.ts'
import { batchOf, recordsFrom } from '../records/testing-records.ts'
import { explainRoutes } from './routes.ts'
import { createReaderMemory } from '../readers/reader-memory.ts'
import { addAuctions } from '../records/store-auctions.ts'

const NOW_MS = Date.parse('2026-06-15T12:00:00Z')
const RICH: LiveState = {
  judgeSpend: () => 'may-spend',
  utilisation: () => 0,
  seen: () => 0,
  reserve: () => true,
  isFull: false,
}

/**
 * Three ads compete for a place in the feed, where one of fifty readers clicks:
 *   Red    0.50 per click, a picture: 0.50 × 0.02 × 1.0 = 0.0100 per impression
 *   Green  0.40 per click, a film:    0.40 × 0.02 × 1.1 = 0.0088
 *   Blue   12.00 per thousand:        12.00 ÷ 1000      = 0.0120, but only in Germany
 */
async function world() {
  const connection = await freshDatabase()
  const market = await marketOn(connection)
  const { deps } = market
  const index = createIndex()
  const placement = {
    key: 900,
    slug: 'feed-top',
    type: 'feed',
    mode: 'auction' as const,
    active: true,
    maxBanners: 1,
    allowPartialRender: false,
    rotation: 'ordered' as const,
    floorMicros: 0,
    timeZone: 'UTC',
  }
  applyChange(index, { put: 'placement', record: placement })

  const add = async (
    name: string,
    terms: { pricing: 'cpc' | 'cpm'; bidMicros: number; format?: string },
  ) => {
    const campaignId = await market.addCampaign({ name: `${name} campaign` })
    const { adId } = await market.addAd(campaignId, { name })
    const { rows } = await connection.pool.query(
      'select id, campaign_id, banner_id from ads where public_id = $1',
      [adId],
    )
    const [key, campaignKey, bannerKey] = Object.values(rows[0]).map(Number) as [
      number,
      number,
      number,
    ]
    const campaign: Campaign = {
      key: campaignKey,
      advertiserKey: 1,
      status: 'active',
      pricing: terms.pricing,
      bidMultiplier: 1,
      mayExceedMax: false,
      rateMicros: 0,
      priority: 0,
      impressionCapReached: false,
      clickCapReached: false,
    }
    const banner = {
      key: bannerKey,
      advertiserKey: 1,
      format: terms.format ?? 'single_image',
      active: true,
      scheduleStatus: 'active' as const,
      timeZone: 'UTC',
      evergreenFallback: false,
      priority: 0,
    }
    const ad = { key, campaignKey, bannerKey, active: true, bidMicros: terms.bidMicros }
    applyChange(index, { put: 'campaign', record: campaign })
    applyChange(index, { put: 'banner', record: banner })
    applyChange(index, { put: 'ad', record: ad })
    applyChange(index, {
      put: 'campaign-placement',
      record: { campaignKey, placementKey: 900, active: true },
    })
    return { adId, campaignId, campaign, ad }
  }
  const red = await add('Red', { pricing: 'cpc', bidMicros: 500_000 })
  const green = await add('Green', { pricing: 'cpc', bidMicros: 400_000, format: 'video' })
  const blue = await add('Blue', { pricing: 'cpm', bidMicros: 12_000_000 })
  applyChange(index, {
    put: 'rule',
    record: {
      key: 1,
      campaignKey: blue.campaign.key,
      type: 'country',
      operator: 'in',
      value: { values: ['DE'] },
      active: true,
    },
  })
  finishLoad(index)

  const readers = createReaders({
    secret: 'a secret of the tests, long enough',
    readConsent: createConsentReader(),
    clock: deps.clock,
    geo: { countryOf: (address) => (address ? 'US' : undefined) },
    known: createReaderMemory(),
  })
  const live = { ...RICH }
  const explainer = createExplainer({ index, liveOf: () => live })
  const server = await serverWith(deps, (http) =>
    explainRoutes(http, { ...deps, readers, explainer, content: new Content() }),
  )
  const operator = actorOf(await addAccount(deps, 'platform'))
  server.actAs(allowed(operator, 'decisions:read'))
  const ask = async (payload: object) =>
    (
      await server.http.inject({
        method: 'POST',
        url: '/api/v1/admin/decisions/explain',
        payload,
        headers: {
          'accept-language': 'de',
          'user-agent': 'Mozilla/5.0 (Windows NT 10.0) Chrome/1',
        },
      })
    ).json()
  const askAgain = async (decisionId: string) =>
    (await server.http.inject({ url: `/api/v1/admin/decisions/${decisionId}/explain` })).json()
  return { deps, index, red, green, blue, server, operator, live, ask, askAgain }
}

const GERMAN = { userContext: { country: 'DE' } }

describe('three ads compete', () => {
  test('the winner, its price and its charge are what a hand calculation says', async () => {
    const { ask, red } = await world()

    const { winners } = await ask({ placementType: 'feed' })

    // Charge: 0.50 × 0.0088 ÷ 0.0100 + 0.01 = 0.45 per click; price: min(0.0100, 0.0088 + 0.01).
    expect(winners).toEqual([
      expect.objectContaining({
        ad: { id: red.adId, name: 'Red' },
        campaign: { id: red.campaignId, name: 'Red campaign' },
        pricing: 'cpc',
        ctr: 0.02,
        quality: 1,
        score: 0.01,
        secondScore: 0.0088,
        finalPrice: 0.01,
        finalPriceMicros: '10000',
        charge: 0.45,
        chargeMicros: '450000',
        calculation: [
          'Score: bid 0.5 × click rate 0.02 × quality 1 = 0.01 per impression.',
          'Price per impression: 0.01: the second score 0.0088 + 0.01, at most its own score 0.01.',
          'Price per click: 0.45: bid 0.5 × second score 0.0088 ÷ score 0.01 + 0.01, at least the floor, 0.01 ÷ (1000 × click rate 0.02) = 0.0005, at most the bid.',
        ],
      }),
    ])
  })

  test('in Germany the third ad wins, and pays per thousand', async () => {
    const { ask, blue } = await world()

    const { winners } = await ask({ placement: undefined, ...GERMAN })

    // 12.00 × 0.0100 ÷ 0.0120 + 0.01 = 10.01.
    expect(winners).toMatchObject([
      { ad: { id: blue.adId }, score: 0.012, charge: 10.01, finalPrice: 0.012 },
    ])
    expect(winners[0].calculation[0]).toBe(
      'Score: bid 12 ÷ 1000 × quality 1 = 0.012 per impression.',
    )
  })

  test('every candidate says what stopped it, as data and in words', async () => {
    const { ask } = await world()

    const { candidates, gates, counts, text } = await ask({})

    expect(
      (candidates as Explained['candidates']).map(({ ad, reason, score }) => [
        ad?.name,
        reason,
        score,
      ]),
    ).toEqual([
      ['Red', 'won', 0.01],
      ['Green', 'outbid', 0.0088],
      ['Blue', 'country', null],
    ])
    expect(counts).toContainEqual({
      reason: 'country',
      gate: 'targeting',
      count: 1,
      text: 'the country does not match its targeting',
    })
    expect(counts).toContainEqual(expect.objectContaining({ reason: 'won', gate: null }))
    expect((gates as Explained['gates']).map(({ gate }) => gate)).toEqual([
      'time',
      'placement',
      'site',
      'targeting',
      'frequency',
      'budget',
      'auction',
    ])
    expect(text).toContain(
      'Ad "Green" of campaign "Green campaign" was not shown with a score of 0.0088: another bid scored higher.',
    )
    expect(text).toContain(
      'Ad "Blue" of campaign "Blue campaign" was not shown: the country does not match its targeting.',
    )
  })

  test('an explanation says what an ad would need to win', async () => {
    const { ask, green, blue } = await world()

    const { requirements: bids, wish } = await ask({ adId: green.adId })
    // The former name, kept for two releases.
    expect(wish).toEqual(bids)
    const { requirements: targets } = await ask({ adId: blue.adId })

    // To pass 0.0100: 0.01 ÷ (0.02 × 1.1) = 0.454545…, so 0.454546.
    expect(bids).toMatchObject({
      ad: { name: 'Green' },
      hasWon: false,
      obstacles: [],
      scoreToBeat: 0.01,
      effectiveBidMicros: '400000',
      effectiveBidMicrosNeeded: '454546',
      text: 'Ad "Green" would be shown if this were otherwise: it bids 0.4, and needs 0.454546 to get a place.',
    })
    expect(targets).toMatchObject({
      obstacles: [{ reason: 'country', text: 'the country does not match its targeting' }],
      text: 'Ad "Blue" would be shown if this were otherwise: the country does not match its targeting.',
    })
  })

  test('a bid below the floor says how much is missing', async () => {
    const { ask } = await world()

    const { candidates, emptyReason, text } = await ask({ floor: 20 })

    expect(emptyReason).toBe('no-candidate')
    expect(candidates).toContainEqual(
      expect.objectContaining({
        ad: expect.objectContaining({ name: 'Red' }),
        reason: 'below-floor',
        measure: { actual: 10_000_000, needed: 20_000_000, unit: 'cpm-micros' },
      }),
    )
    expect(text).toContain('No ad: no candidate passed every gate.')
  })

  test('an explanation contains no internal key', async () => {
    const { ask, green } = await world()

    const answer = await ask({ adId: green.adId })

    expect(JSON.stringify(answer)).not.toMatch(/\b(?:Ad|Booking) \d|[kK]ey"/)
  })

  test('the browser headers of the caller say nothing about the reader', async () => {
    const { ask } = await world()

    expect((await ask({})).context).toEqual({})
  })
})

const decideNow = (it: Awaited<ReturnType<typeof world>>) => {
  const context = { country: 'DE' }
  const request = { placementType: 'feed', nowMs: NOW_MS, userKnown: false, context }
  const decision = decide(it.index, request, { live: RICH, draws: seededDraws(1) })
  return { context, decision }
}

async function recorded() {
  const it = await world()
  await prepareAuctionDays(it.deps)
  const record = recordsFrom(it.deps.ids)({ ...decideNow(it), userKey: undefined, seed: 1 })
  await addAuctions(it.deps.db, batchOf([record]))
  return { ...it, decisionId: record.decisionId }
}

describe('a recorded decision', () => {
  test('a recorded decision is explained as it was, and is the same again on the same catalogue', async () => {
    const { askAgain, decisionId, blue, red, deps } = await recorded()
    deps.clock.advance(DAY_SECONDS)

    const { recorded: then, today, differences, text } = await askAgain(decisionId)

    expect(then).toMatchObject({
      decidedAt: '2026-06-15T12:00:00.000Z',
      context: { country: 'DE' },
      winners: [{ ad: { id: blue.adId, name: 'Blue' }, charge: 10.01 }],
      bids: [
        { ad: { id: blue.adId }, score: 0.012 },
        { ad: { id: red.adId }, score: 0.01 },
      ],
    })
    expect(today.decidedAt).toBe(then.decidedAt)
    expect(differences).toEqual([])
    expect(text).toContain('The answer would be the same.')
  })

  test("a recorded decision shows what differs on today's catalogue", async () => {
    const { askAgain, decisionId, index, blue } = await recorded()
    applyChange(index, { put: 'campaign', record: { ...blue.campaign, status: 'paused' } })

    const { today, differences } = await askAgain(decisionId)

    expect(today.winners).toMatchObject([{ ad: { name: 'Red' }, charge: 0.45 }])
    expect(differences.map(({ text }: { text: string }) => text)).toEqual([
      'Ad "Blue" of campaign "Blue campaign" was shown. Today: Ad "Blue" of campaign "Blue campaign" was not shown: its campaign is not active.',
      'Ad "Red" of campaign "Red campaign" would be shown today; it had a score of 0.01 then.',
    ])
  })

  test('a recorded decision shows another price where a rival bids more', async () => {
    const { askAgain, decisionId, index, red } = await recorded()
    applyChange(index, { put: 'ad', record: { ...red.ad, bidMicros: 550_000 } })

    const { differences } = await askAgain(decisionId)

    // 12.00 × 0.0110 ÷ 0.0120 + 0.01 = 11.01.
    expect(differences).toMatchObject([
      { about: 'charge', recorded: '10.01', today: '11.01' },
      { about: 'score', recorded: '0.01', today: '0.011' },
    ])
  })

  test('a decision without a record is not found', async () => {
    const { askAgain } = await world()

    expect(await askAgain('01890000-0000-7000-8000-00000000dead')).toMatchObject({
      status: 404,
      code: 'DECISION_NOT_FOUND',
    })
  })
})

test.each(['advertiser', 'publisher', 'trust'] as const)(
  'bids of others are not shown to %s',
  async (role) => {
    const { server, operator } = await world()
    server.actAs(allowed(operator, ...ROLE_PERMISSIONS[role]))
    const url = '/api/v1/admin/decisions'

    const asked = await server.http.inject({ method: 'POST', url: `${url}/explain`, payload: {} })
    const again = await server.http.inject({
      url: `${url}/01890000-0000-7000-8000-00000000dead/explain`,
    })

    expect([asked.statusCode, again.statusCode]).toEqual([403, 403])
  },
)

test('an unknown placement or ad is named in the problem', async () => {
  const { ask } = await world()
  const adId = '01890000-0000-7000-8000-00000000dead'

  expect(await ask({ placement: 'nowhere' })).toMatchObject({ code: 'PLACEMENT_NOT_FOUND' })
  expect(await ask({ adId })).toMatchObject({ code: 'AD_NOT_FOUND' })
  expect(await ask({ colour: 'red' })).toMatchObject({ code: 'INVALID_REQUEST' })
})
