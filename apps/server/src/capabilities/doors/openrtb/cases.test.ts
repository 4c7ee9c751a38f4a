import type { BidRequest, Imp } from '@placard/contract/openrtb'
import { type LimitReason, REASONS } from '@placard/decision-engine'
import { expect, test } from 'vitest'
import {
  type BannerContent,
  Content,
  packLimits,
  type PlacementContent,
  type Publisher,
  type ReasonCounts,
} from '../../decisions/index.ts'
import { emptyFor, furthestOf, type Refusal } from './no-bid.ts'
import { requestedNative } from './native.ts'
import { placementNamesOf, publisherNameOf } from './place.ts'
import { type Ground, isRefused, type Question, questionsOf, type Refused } from './question.ts'
import { readerFieldsOf } from './reader.ts'
import { hasSignals, signalsOf } from './signals.ts'
import { aBanner, aShowing, readCases } from './testing-cases.ts'
import { playerOf } from './video.ts'

type Partly = Partial<BidRequest>
const aRequest = (given: Partly = {}): BidRequest => ({ id: 'r-1', imp: [], ...given })
/** Without fields that are undefined, as JSON is. */
const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

test.each(readCases<{ imp: Imp; names: readonly [string, string][] }>('places'))(
  'which placement: $name',
  ({ imp, names }) => {
    expect([...placementNamesOf(imp)].map(({ slug, seat }) => [slug, seat])).toEqual(names)
  },
)

test.each(readCases<{ request: Partly; publisher: string | null }>('publishers'))(
  'which publisher: $name',
  ({ request, publisher }) => {
    expect(publisherNameOf(aRequest(request)) ?? null).toBe(publisher)
  },
)

test.each(readCases<{ request: Partly; says: boolean; signals: object }>('signals'))(
  'consent: $name',
  ({ request, says, signals }) => {
    expect(asJson(signalsOf(aRequest(request)))).toEqual(signals)
    expect(hasSignals(aRequest(request))).toBe(says)
  },
)

test.each(readCases<{ request: Partly; reader: object }>('readers'))(
  'the reader: $name',
  ({ request, reader }) => {
    const { signals: _, ...said } = readerFieldsOf(aRequest(request))
    expect(asJson(said)).toEqual(reader)
  },
)

interface QuestionCase {
  readonly imp: Imp
  readonly request?: Partly
  readonly hasKey?: boolean
  readonly ask?: { readonly supplyChain?: unknown }
  readonly refusal?: Refusal
  readonly message?: string
}

test.each(readCases<QuestionCase>('questions'))('the question to the engine: $name', (given) => {
  const { imp, request, hasKey = false, ask, refusal, message } = given
  const [found] = questionsOf(aRequest({ ...request, imp: [withoutNulls(imp)] }), ground(hasKey))

  expect(asJson(saidOf(found!))).toEqual(asJson({ ask, refusal, message }))
})

function saidOf(found: Question | Refused) {
  if (isRefused(found)) return { refusal: found.refusal, message: found.message }
  const { floorMicros, limits, asked } = found.ask
  return {
    ask: { floorMicros, limits: packLimits(limits ?? {}), supplyChain: asked?.supplyChain },
  }
}

const withoutNulls = (imp: Imp): Imp =>
  Object.fromEntries(Object.entries(imp).filter(([, value]) => value !== null)) as Imp

/** One placement of a publisher in euros, another publisher, and campaigns of two contracts. */
function ground(hasKey: boolean): Ground {
  const content = new Content()
  content.placements.set(1, PLACEMENT)
  content.campaignsOfContract.set('IO-1', new Set([31]))
  content.campaignsOfContract.set('IO-2', new Set([32, 33]))
  const publishers = [10, 11].map((key) => ({ ...PUBLISHER, key, publicId: idOf(key) }))
  return {
    content,
    findPlacement: (slug) => (slug === PLACEMENT.slug ? RECORD : undefined),
    findPublisher: (publicId) => publishers.find((one) => one.publicId === publicId),
    productsOf: (categories, taxonomy) =>
      new Set(taxonomy === 8 ? [...categories, '1003'] : [`old ${categories.join()}`]),
    ownsAccount: () => hasKey,
    isSecure: true,
  }
}

const idOf = (key: number) => `01890000-0000-7000-8000-00000000000${key.toString(16)}`
const PUBLISHER: Publisher = { key: 10, publicId: '', currency: 'EUR', accountKey: 1 }
const PLACEMENT: PlacementContent = {
  publicId: 'p',
  slug: 'home-top',
  layoutType: 'full_static',
  type: 'feed',
  maxBanners: 1,
  recommendedWidth: null,
  recommendedHeight: null,
  recommendedAspectRatio: null,
  placeholderUrl: null,
  currency: 'EUR',
  siteKey: null,
  publisherKey: 10,
  accountKey: 1,
}
const RECORD = {
  key: 1,
  slug: 'home-top',
  type: 'feed',
  publisherKey: 10,
  mode: 'hybrid',
  active: true,
  maxBanners: 1,
  allowPartialRender: false,
  rotation: 'ordered',
  floorMicros: 0,
  timeZone: 'UTC',
  currency: 'EUR',
} as const

interface NativeCase {
  readonly request: object
  readonly banner?: Partial<BannerContent>
  readonly judged?: LimitReason
  readonly assets?: readonly object[]
  readonly rest?: object
}

test.each(readCases<NativeCase>('native'))('native: $name', (given) => {
  const { request, banner, judged, assets, rest } = given
  const shown = aBanner({ ...NATIVE_BANNER, ...banner })
  const media = requestedNative({ request: JSON.stringify(request) })!

  expect(media.judge(shown)).toBe(judged)
  const { assets: found, ...others } = JSON.parse(media.present(aShowing(shown)).adm)
  expect({ assets: assets && found, rest: rest && others }).toEqual({ assets, rest })
})

const NATIVE_BANNER: Partial<BannerContent> = {
  format: 'native',
  headline: 'Red shoes for the autumn',
  description: 'Made of leaves',
  ctaLabel: 'Buy',
  sizes: ['1200x627'],
}

test.each(readCases<{ video: NonNullable<Imp['video']>; player: object | null }>('videos'))(
  'the player: $name',
  ({ video, player }) => {
    expect(asJson(playerOf(video) ?? null)).toEqual(player)
  },
)

interface ReasonCase {
  readonly counts?: ReasonCounts
  readonly hasAdvertisers?: boolean
  readonly hasDealFloors?: boolean
  readonly status: number
  readonly nbr: number
}

test.each(readCases<ReasonCase>('reasons'))('why there is no bid: $name', (given) => {
  const { counts, hasAdvertisers = false, hasDealFloors = false, status, nbr } = given
  const furthest = furthestOf(counts, REASONS)

  expect(emptyFor(furthest, { hasAdvertisers, hasDealFloors })).toEqual({ status, nbr })
})
