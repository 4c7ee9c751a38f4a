import type { Placement } from '../changes/records.ts'
import type { DecisionRequest, Ports, Source, Winner } from '../decide/run.ts'
import type { PageRequest } from '../decide/decide-page.ts'
import type { PlainCatalogue } from './plain-catalogue.ts'
import {
  bidOf,
  type PlainCandidate,
  type PlainWinner,
  type ReferenceCase,
  referenceVerdict,
  scored,
  type ScoredCandidate,
} from './reference.ts'

const ATTEMPTS_MAX = 16

/** Filters everything, sorts and takes the best two: slow and easy to check. */
export function referenceDecide(
  catalogue: PlainCatalogue,
  request: DecisionRequest,
  ports: Ports,
): readonly PlainWinner[] {
  if (request.placementKey === undefined) return referenceByType(catalogue, request, ports)
  const placement = catalogue.placements.get(request.placementKey)
  if (placement?.active !== true) return []
  const shown = {
    campaigns: request.oncePerCampaign === true ? [] : undefined,
    banners: [],
    labels: [],
  }
  return fill({ catalogue, request, placement, ports, shown })
}

/** The active placements of the type of the publisher, the first made first. */
export const placementsOfType = (
  catalogue: PlainCatalogue,
  { publisherKey, placementType }: DecisionRequest,
): readonly Placement[] =>
  [...catalogue.placements.values()]
    .filter((one) => one.active && one.type === placementType && one.publisherKey === publisherKey)
    .toSorted((a, b) => a.key - b.key)

interface PlacedBid extends ScoredCandidate {
  readonly situation: ReferenceCase
  readonly floor: number
}

/** Every ad through every placement, the best of each ad, sorted, and two of them taken. */
function referenceByType(
  catalogue: PlainCatalogue,
  wholeRequest: DecisionRequest,
  ports: Ports,
): readonly PlainWinner[] {
  const request = { ...wholeRequest, shortlist: undefined }
  const refused: number[] = []
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    const placed = placementsOfType(catalogue, request).flatMap((placement) => {
      const shown = { campaigns: undefined, banners: [], labels: [] }
      const situation = { catalogue, request, placement, ports, shown }
      const floor = floorOf(situation)
      return bidsOf(situation, refused).map((bid): PlacedBid => ({ ...bid, situation, floor }))
    })
    const byAd = Map.groupBy(placed, ({ candidate }) => candidate.key)
    const [best, second] = [...byAd.values()]
      .map((bids) => bids.toSorted((a, b) => b.score - a.score || a.floor - b.floor)[0]!)
      .toSorted((a, b) => compareBids(a.situation, a, b))
    if (best === undefined) return []
    const winner = priced(best, second, best.floor)
    if (reserve(best.situation, best.candidate, winner)) {
      return [{ ...winner, placementKey: best.situation.placement.key }]
    }
    refused.push(best.candidate.key)
  }
  return []
}

/** What passes every gate and the floor of the placement, unsorted. */
function bidsOf(situation: ReferenceCase, refused: readonly number[]): ScoredCandidate[] {
  return auctioned(situation)
    .filter(({ key }) => !refused.includes(key))
    .filter((candidate) => referenceVerdict(situation, candidate) === 'passed')
    .map((candidate) => scored(situation, candidate))
    .filter((bid) => cpmOf(bid) >= floorOf(situation) && bid.bid > 0)
}

export function referencePage(
  catalogue: PlainCatalogue,
  request: PageRequest,
  ports: Ports,
): readonly (readonly PlainWinner[])[] {
  const { throttle = 0, slots } = request
  if (throttle > 0 && ports.draws.next() < throttle) return slots.map(() => [])
  const answers: (readonly PlainWinner[])[] = slots.map(() => [])
  const shown = { campaigns: [], banners: [], labels: [] }
  const order = slots
    .map((slot, at) => ({ slot, at, placement: catalogue.placements.get(slot.placementKey) }))
    .toSorted((a, b) => area(b.placement) - area(a.placement) || a.at - b.at)
  for (const { slot, at, placement } of order) {
    if (placement?.active !== true || placement.siteKey !== request.siteKey) continue
    answers[at] = fill({ catalogue, request: { ...request, ...slot }, placement, ports, shown })
  }
  return answers
}

const area = (placement: Placement | undefined) =>
  placement?.active === true ? (placement.width ?? 0) * (placement.height ?? 0) : 0

function fill(situation: ReferenceCase): readonly PlainWinner[] {
  const { placement, request } = situation
  const winners: PlainWinner[] = []
  const slots = Math.min(placement.maxBanners, request.bannersMax ?? Infinity)
  const { mode } = placement
  if (mode !== 'auction') fillBookings(situation, winners, slots)
  if (mode !== 'direct') {
    const refused: number[] = []
    while (winners.length < slots) {
      const winner = auction(situation, refused)
      if (winner === undefined) break
      winners.push(winner)
    }
  }
  if (!placement.allowPartialRender) return winners
  takeInOrder(situation, fallbacks(situation), { winners, slots, source: 'fallback' })
  takeInOrder(situation, evergreens(situation), { winners, slots, source: 'evergreen' })
  return winners
}

function auction(situation: ReferenceCase, refused: number[]): PlainWinner | undefined {
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    const floor = floorOf(situation)
    const bids = bidsOf(situation, refused).toSorted((a, b) => compareBids(situation, a, b))
    const found = chosen(situation, bids, floor)
    if (found === undefined) return undefined
    const { candidate, winner } = found
    if (reserve(situation, candidate, winner)) return winner
    refused.push(candidate.key)
  }
  return undefined
}

/** An ad of the shortlist, if one scores at least as much as the best other bid with its relevance. */
function chosen(
  { request: { shortlist } }: ReferenceCase,
  bids: readonly ScoredCandidate[],
  floor: number,
): { candidate: PlainCandidate; winner: PlainWinner } | undefined {
  const placeOf = (bid: ScoredCandidate) => shortlist?.adKeys.indexOf(bid.candidate.key) ?? -1
  const [best, ...others] = bids.filter((bid) => placeOf(bid) < 0)
  const relevant = bids
    .filter((bid) => placeOf(bid) >= 0)
    .map((bid) => ({ ...bid, score: bid.score * shortlist!.relevance[placeOf(bid)]! }))
    .toSorted((a, b) => placeOf(a) - placeOf(b))
  const ahead = relevant.filter(({ score }) => score >= (best?.score ?? 0))
  if (ahead.length > 0) {
    const asked = ahead.map((bid) => ({ place: placeOf(bid), cpmMicros: cpmOf(bid) }))
    const { at, clearingCpmMicros } = shortlist!.choose(asked, floor)
    return {
      candidate: ahead[at]!.candidate,
      winner: pricedOver(ahead[at]!, best, clearingCpmMicros),
    }
  }
  if (best === undefined) return undefined
  const second = [...others, ...relevant].toSorted((a, b) => b.score - a.score)[0]
  return { candidate: best.candidate, winner: priced(best, second, floor) }
}

/** Pays the shortlist's price, or more if it takes more to stay ahead of the best other bid. */
function pricedOver(
  chosen: ScoredCandidate,
  rival: ScoredCandidate | undefined,
  clearing: number,
): PlainWinner {
  const isCpc = chosen.candidate.campaign!.pricing === 'cpc'
  const unit = Math.ceil(isCpc ? clearing / (1000 * chosen.ctr) : clearing)
  const wanted = rival === undefined ? 0 : round((chosen.bid * rival.score) / chosen.score + 10_000)
  const price = Math.max(clearing / 1000, rival === undefined ? 0 : rival.score + 10_000)
  return {
    ...plain(chosen.candidate, 'auction', 0),
    chargeMicros: Math.min(chosen.bid, Math.max(unit, wanted)),
    finalPriceMicros: round(Math.min(chosen.score, price)),
    score: chosen.score,
    secondScore: rival?.score,
  }
}

/** Ads booked on the placement, and ads of the shortlist that are not, which the gates stop. */
export function auctioned(situation: ReferenceCase): PlainCandidate[] {
  const linked = candidatesOfAuction(situation)
  const keys = situation.request.shortlist?.adKeys ?? []
  const strays = adsOf(situation).filter(
    ({ key }) => keys.includes(key) && !linked.some((one) => one.key === key),
  )
  return [...linked, ...strays]
}

const cpmOf = ({ candidate, bid, ctr }: ScoredCandidate) =>
  candidate.campaign!.pricing === 'cpc' ? bid * ctr * 1000 : bid

const floorOf = ({ placement, request }: ReferenceCase) =>
  Math.max(10_000, placement.floorMicros, request.floorMicros ?? 0)

function compareBids({ ports }: ReferenceCase, a: ScoredCandidate, b: ScoredCandidate): number {
  return (
    b.score - a.score ||
    b.quality - a.quality ||
    ports.live.utilisation(a.candidate.campaign!.key) -
      ports.live.utilisation(b.candidate.campaign!.key) ||
    a.candidate.key - b.candidate.key
  )
}

const round = (amount: number) => Math.floor(amount + 0.5)

function priced(
  best: ScoredCandidate,
  second: ScoredCandidate | undefined,
  floor: number,
): PlainWinner {
  const isCpc = best.candidate.campaign!.pricing === 'cpc'
  const floorUnit = isCpc ? Math.ceil(floor / (1000 * best.ctr)) : floor
  const charge =
    second === undefined
      ? floorUnit
      : Math.max(floorUnit, round((best.bid * second.score) / best.score + 10_000))
  const price =
    second === undefined
      ? Math.min(best.score, (best.score * floor) / cpmOf(best))
      : Math.min(best.score, second.score + 10_000)
  return {
    ...plain(best.candidate, 'auction', 0),
    chargeMicros: Math.min(best.bid, charge),
    finalPriceMicros: round(price),
    score: best.score,
    secondScore: second?.score,
  }
}

/** Ads of campaigns booked on the placement. */
const candidatesOfAuction = ({ catalogue, placement }: ReferenceCase): PlainCandidate[] =>
  adsOf({ catalogue }).filter(({ ad }) =>
    catalogue.campaignPlacements.has(`${ad!.campaignKey}-${placement.key}`),
  )

const adsOf = ({ catalogue }: Pick<ReferenceCase, 'catalogue'>): PlainCandidate[] =>
  [...catalogue.ads.values()].map((ad) => ({
    kind: 'ad' as const,
    key: ad.key,
    campaign: catalogue.campaigns.get(ad.campaignKey),
    banner: catalogue.banners.get(ad.bannerKey),
    active: ad.active,
    ad,
  }))

function bookingsOf({ catalogue, placement }: ReferenceCase): PlainCandidate[] {
  return [...catalogue.assignments.values()]
    .filter(({ placementKey }) => placementKey === placement.key)
    .map((assignment) => ({
      kind: 'assignment' as const,
      key: assignment.key,
      campaign: catalogue.campaigns.get(assignment.campaignKey),
      banner: catalogue.banners.get(assignment.bannerKey),
      active: assignment.active,
      assignment,
    }))
    .toSorted(compareBookings)
}

const compareBookings = (a: PlainCandidate, b: PlainCandidate) =>
  (b.campaign?.priority ?? 0) - (a.campaign?.priority ?? 0) ||
  a.assignment!.displayOrder - b.assignment!.displayOrder ||
  b.assignment!.weight - a.assignment!.weight ||
  (b.banner?.priority ?? 0) - (a.banner?.priority ?? 0) ||
  a.key - b.key

const fallbackRank = ({ assignment }: PlainCandidate) => assignment!.fallbackPriority ?? Infinity

const fallbacks = (situation: ReferenceCase) =>
  bookingsOf(situation)
    .filter(({ assignment }) => assignment!.isFallback)
    .toSorted((a, b) =>
      fallbackRank(a) === fallbackRank(b)
        ? compareBookings(a, b)
        : fallbackRank(a) - fallbackRank(b),
    )

function evergreens({ catalogue }: ReferenceCase): PlainCandidate[] {
  return [...catalogue.banners.values()]
    .filter(({ evergreenFallback }) => evergreenFallback)
    .toSorted((a, b) => b.priority - a.priority || a.key - b.key)
    .map((banner) => ({
      kind: 'banner' as const,
      key: banner.key,
      campaign: undefined,
      banner,
      active: true,
    }))
}

interface TakeStep {
  readonly winners: PlainWinner[]
  readonly slots: number
  readonly source: Source
}

function takeInOrder(situation: ReferenceCase, candidates: PlainCandidate[], step: TakeStep): void {
  for (const candidate of candidates) {
    if (step.winners.length >= step.slots) return
    if (referenceVerdict(situation, candidate) !== 'passed') continue
    const winner = plain(candidate, step.source, bidOf(situation, candidate))
    if (reserve(situation, candidate, winner)) step.winners.push(winner)
  }
}

function fillBookings(situation: ReferenceCase, winners: PlainWinner[], slots: number): void {
  const bookings = bookingsOf(situation).filter(({ assignment }) => !assignment!.isFallback)
  if (situation.placement.rotation === 'ordered') {
    takeInOrder(situation, bookings, { winners, slots, source: 'booking' })
    return
  }
  const priorities = new Set(bookings.map(({ campaign }) => campaign?.priority ?? 0))
  for (const priority of [...priorities].toSorted((a, b) => b - a)) {
    const urn = bookings
      .filter(({ campaign }) => (campaign?.priority ?? 0) === priority)
      .filter((candidate) => referenceVerdict(situation, candidate) === 'passed')
    while (urn.length > 0 && winners.length < slots) {
      const [candidate] = urn.splice(drawn(urn, situation.ports), 1)
      takeInOrder(situation, [candidate!], { winners, slots, source: 'booking' })
    }
  }
}

function drawn(urn: readonly PlainCandidate[], { draws }: Ports): number {
  const weights = urn.map(({ assignment }) => assignment!.weight)
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  let left = draws.next() * total
  const at = weights.findIndex((weight) => {
    left -= weight
    return left < 0
  })
  return at < 0 ? urn.length - 1 : at
}

function plain(candidate: PlainCandidate, source: Source, chargeMicros: number): PlainWinner {
  return {
    source,
    key: candidate.key,
    bannerKey: candidate.banner!.key,
    campaignKey: candidate.campaign?.key,
    chargeMicros,
    finalPriceMicros: 0,
    score: 0,
    secondScore: undefined,
  }
}

function reserve(
  situation: ReferenceCase,
  candidate: PlainCandidate,
  winner: PlainWinner,
): boolean {
  const isCpc = candidate.campaign?.pricing === 'cpc'
  const { chargeMicros } = winner
  const costMicros = isCpc ? chargeMicros : Math.ceil(chargeMicros / 1000)
  if (!situation.ports.live.reserve({ ...winner, costMicros } as Winner)) return false
  situation.shown.banners.push(candidate.banner!.key)
  if (candidate.campaign !== undefined) situation.shown.campaigns?.push(candidate.campaign.key)
  situation.shown.labels.push(...(candidate.campaign?.exclusionLabels ?? []))
  return true
}
