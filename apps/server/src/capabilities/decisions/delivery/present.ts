import type { CampaignDelivery } from '@placard/contract/delivery'
import type { Context } from '@placard/decision-engine'
import { OTHER_CHANNEL_TEXT } from '../../campaigns/index.ts'
import type { DeliverySources } from './facts.ts'
import {
  bidNeeded,
  type Chance,
  type DeliveryFacts,
  judgeDelivery,
  ruleShares,
  sumOf,
  type Verdict,
} from './verdict.ts'
import { ACTION_OF, sayShare, sayVerdict, type Telling, textOfRule } from './words.ts'

export const SHOWN_MAX = 200

/** What was found out about one campaign, and for whom. */
export interface Told {
  readonly sources: DeliverySources
  readonly campaignKey: number
  readonly campaignId: string
  readonly checkedAt: Date
  readonly showsBids: boolean
  readonly facts: DeliveryFacts
}

type Line = Omit<CampaignDelivery['ads'][number], 'adId'>
type Action = NonNullable<Line['action']>

export function presentCampaign(told: Told, fitting: Context): CampaignDelivery {
  const { sources, campaignKey, campaignId, facts } = told
  const { chances } = facts
  const byAd = Map.groupBy(
    chances.filter(({ standing }) => standing.kind === 'ad'),
    ({ standing }) => standing.key,
  )
  const byPlacement = Map.groupBy(chances, ({ standing }) => standing.placementKey)
  return {
    ...lineOf(told, { of: 'campaign', chances }),
    campaignId,
    currency: sources.content.campaigns.get(campaignKey)?.currency ?? null,
    past: pastOf(told),
    ads: [...byAd].slice(0, SHOWN_MAX).flatMap(([key, own]) => {
      const adId = sources.content.ads.get(key)?.publicId
      return adId === undefined ? [] : [{ ...lineOf(told, { of: 'ad', chances: own }), adId }]
    }),
    placements: [...byPlacement]
      .slice(0, SHOWN_MAX)
      .flatMap(([key, own]) => ownPlacement(told, key, own)),
    question: questionOf(told, fitting),
  }
}

function ownPlacement(
  told: Told,
  key: number | undefined,
  chances: readonly Chance[],
): CampaignDelivery['placements'] {
  const { content } = told.sources
  const placement = content.placements.get(key ?? 0)
  if (placement === undefined) return []
  return [
    {
      ...lineOf(told, { of: 'placement', chances }),
      placementId: placement.publicId,
      slug: placement.slug,
      siteDomain: content.sites.get(placement.siteKey ?? 0)?.domain ?? null,
    },
  ]
}

interface About {
  readonly of: Telling['of']
  readonly chances: readonly Chance[]
}

function lineOf(told: Told, { of, chances }: About): Line {
  const { sources, campaignKey, facts, checkedAt, showsBids } = told
  const campaign = sources.content.campaigns.get(campaignKey)
  const verdict = judgeDelivery({ ...facts, chances })
  const telling: Telling = {
    of,
    content: sources.content,
    currency: campaign?.currency,
    chances,
    showsBids,
    startsAtMs: campaign?.startsAtMs ?? undefined,
  }
  return {
    state: verdict.state,
    code: verdict.code,
    text: sayVerdict(verdict, telling),
    checkedAt: checkedAt.toISOString(),
    action: actionOf(told, { verdict, chances }),
  }
}

function actionOf(
  { sources, campaignId, showsBids }: Told,
  { verdict, chances }: { readonly verdict: Verdict; readonly chances: readonly Chance[] },
): Action | null {
  const kind = verdict.code === null ? undefined : ACTION_OF[verdict.code]
  if (kind === undefined) return null
  const { content } = sources
  const standing = (verdict.chance ?? chances[0])?.standing
  const placement = content.placements.get(standing?.placementKey ?? 0)
  const bid = showsBids && kind === 'raise-bid' ? bidNeeded(chances) : undefined
  const adKey = standing?.kind === 'ad' ? standing.key : 0
  return {
    kind,
    campaignId,
    adId: content.ads.get(adKey)?.publicId ?? null,
    bannerId: content.banners.get(standing?.bannerKey ?? 0)?.publicId ?? null,
    placementId: placement?.publicId ?? null,
    siteId: content.sites.get(placement?.siteKey ?? 0)?.publicId ?? null,
    bidMicros: bid === undefined ? null : String(wholeCents(bid)),
  }
}

/** Rounded up to a hundredth of the currency. */
const wholeCents = (micros: number) => Math.ceil(micros / 10_000) * 10_000

function pastOf({ facts, showsBids }: Told): CampaignDelivery['past'] {
  const { requests, admitted, won } = sumOf(facts.chances)
  const needed = showsBids ? bidNeeded(facts.chances) : undefined
  return {
    requests,
    admitted: shareOf(admitted, requests),
    won: shareOf(won, requests),
    rules: ruleShares(facts.chances).map(({ rule, passes }) => ({
      rule,
      passes,
      text: `${sayShare(passes)} of the requests pass; for the others ${textOfRule(rule)}`,
    })),
    bidMicrosNeeded: needed === undefined ? null : String(wholeCents(needed)),
  }
}

export const shareOf = (part: number, whole: number) => (whole === 0 ? 0 : part / whole)

/** The ad and placement that come furthest, and a reader of yesterday or of the rules. */
function questionOf({ sources, facts }: Told, fitting: Context): CampaignDelivery['question'] {
  const open = facts.chances.filter(({ obstacles }) => obstacles.length === 0)
  const own = open.find(({ replay }) => replay.example !== undefined) ?? open[0] ?? facts.chances[0]
  const placement = sources.content.placements.get(own?.standing.placementKey ?? 0)
  if (own === undefined || placement === undefined) return null
  const { page: _, ...userContext } = own.replay.example ?? fitting
  const adKey = own.standing.kind === 'ad' ? own.standing.key : 0
  const adId = sources.content.ads.get(adKey)?.publicId ?? null
  return { placement: placement.slug, adId, userContext: { ...userContext } }
}

const NOTHING_PAST = { requests: 0, admitted: 0, won: 0, rules: [], bidMicrosNeeded: null }

/** A campaign that the index does not have. */
export const otherChannel = (campaignId: string): CampaignDelivery => ({
  state: 'not-delivering',
  code: 'other-channel',
  text: `Not delivering: ${OTHER_CHANNEL_TEXT}`,
  checkedAt: null,
  action: null,
  campaignId,
  currency: null,
  past: NOTHING_PAST,
  ads: [],
  placements: [],
  question: null,
})
