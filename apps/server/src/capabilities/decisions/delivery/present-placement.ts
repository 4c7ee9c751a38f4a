import type { PlacementDelivery } from '@placard/contract/delivery'
import type { DeliverySources } from './facts.ts'
import { shareOf, SHOWN_MAX } from './present.ts'
import type { SampledRequest } from './reads-sample.ts'
import { type DeliveryFacts, judgeDelivery, notDelivering, type Verdict } from './verdict.ts'
import { ACTION_OF, sayVerdict, type Telling } from './words.ts'

/** What was found out about a placement. */
interface ToldPlacement {
  readonly sources: DeliverySources
  readonly placementKey: number
  readonly checkedAt: Date
  readonly requests: readonly SampledRequest[]
  /** Of each campaign booked here, on this placement. */
  readonly facts: readonly DeliveryFacts[]
}

const FILLED_MIN = 0.5

export function presentPlacement(told: ToldPlacement): PlacementDelivery {
  const { sources, placementKey, checkedAt, requests } = told
  const { content } = sources
  const placement = content.placements.get(placementKey)!
  const filled = requests.filter(({ winners }) => winners.length > 0).length
  const verdict = judgePlacement(told, shareOf(filled, requests.length))
  const telling: Telling = {
    of: 'placement',
    content,
    currency: placement.currency,
    chances: [],
    showsBids: false,
    startsAtMs: undefined,
  }
  const kind = verdict.code === null ? undefined : ACTION_OF[verdict.code]
  const siteId = content.sites.get(placement.siteKey ?? 0)?.publicId ?? null
  return {
    state: verdict.state,
    code: verdict.code,
    text: placementText(verdict, telling, placement.slug),
    checkedAt: checkedAt.toISOString(),
    action:
      kind === undefined
        ? null
        : {
            kind,
            campaignId: null,
            adId: null,
            bannerId: null,
            placementId: placement.publicId,
            siteId,
            bidMicros: null,
          },
    placementId: placement.publicId,
    slug: placement.slug,
    requests: requests.length,
    filled: shareOf(filled, requests.length),
    campaigns: campaignsHere(told),
  }
}

function judgePlacement(
  { sources, placementKey, requests, facts }: ToldPlacement,
  filled: number,
): Verdict {
  if (!sources.isServing()) return notDelivering('serving-off')
  const site = sources.content.sites.get(sources.content.placements.get(placementKey)?.siteKey ?? 0)
  if (site?.isActive === false) return notDelivering('site-off')
  if (site?.isProven === false) return notDelivering('domain-unproven')
  const row = sources.index.placementRows.get(placementKey)
  const record = row === undefined ? undefined : sources.index.placements[row]?.record
  if (record?.active !== true) return notDelivering('placement-off')
  if (requests.length === 0) return notDelivering('no-requests')
  if (filled === 0) return notDelivering(facts.length === 0 ? 'no-campaign' : 'unfilled')
  return filled < FILLED_MIN
    ? { state: 'limited', code: 'unfilled' }
    : { state: 'delivering', code: null }
}

function placementText(verdict: Verdict, telling: Telling, slug: string): string {
  if (verdict.code === 'no-requests') {
    return `Not delivering: no page has asked for ads on ${slug} in the last 24 hours`
  }
  if (verdict.code === 'placement-off') return 'Not delivering: it is switched off'
  return sayVerdict(verdict, telling)
}

function campaignsHere({ sources, facts }: ToldPlacement): PlacementDelivery['campaigns'] {
  const lines = facts.map((own) => {
    const verdict = judgeDelivery(own)
    const telling: Telling = {
      of: 'campaign',
      content: sources.content,
      currency: undefined,
      chances: own.chances,
      showsBids: false,
      startsAtMs: undefined,
    }
    return { code: verdict.code, text: sayVerdict(verdict, telling) }
  })
  return [...Map.groupBy(lines, ({ text }) => text)]
    .map(([text, same]) => ({ code: same[0]!.code, text, campaigns: same.length }))
    .toSorted((a, b) => b.campaigns - a.campaigns)
    .slice(0, SHOWN_MAX)
}

export const unknownPlacement = (placementId: string): PlacementDelivery => ({
  state: 'not-delivering',
  code: 'placement-off',
  text: 'Not delivering: its publisher’s account is closed',
  checkedAt: null,
  action: null,
  placementId,
  slug: '',
  requests: 0,
  filled: 0,
  campaigns: [],
})
