/** Changes to a campaign, creative, advertiser or site that affect pages' candidates. */
export type MatrixEvent =
  | 'campaign-exhausted'
  | 'campaign-budget-back'
  | 'campaign-left'
  | 'campaign-changed'
  | 'cpm-changed'
  | 'creative-paused'
  | 'creative-reactivated'
  | 'advertiser-exhausted'
  | 'advertiser-budget-back'
  | 'advertiser-suspended'
  | 'creative-approved'
  | 'creative-rejected'
  | 'creative-flagged'
  | 'creative-unflagged'
  | 'approval-revoked'
  | 'ad-product-blocked'

export interface MatrixRow {
  /**
   * What happens to the candidates at once. Temporary conditions mark, only deliberate ones delete.
   */
  readonly index: 'none' | 'keep' | 'mark' | 'remove' | 'update-cpm' | 'append'
  /**
   * Which pages are auctioned: the campaign's, those of all its sites, or those of sites where it
   * has candidates.
   */
  readonly reauction: 'none' | 'campaign-pages' | 'site' | 'sites-with-candidates' | 'if-emptied'
}

export const MATRIX: Readonly<Record<MatrixEvent, MatrixRow>> = {
  'campaign-exhausted': { index: 'mark', reauction: 'campaign-pages' },
  'campaign-budget-back': { index: 'keep', reauction: 'campaign-pages' },
  'campaign-left': { index: 'remove', reauction: 'campaign-pages' },
  'campaign-changed': { index: 'none', reauction: 'site' },
  'cpm-changed': { index: 'update-cpm', reauction: 'campaign-pages' },
  'creative-paused': { index: 'remove', reauction: 'campaign-pages' },
  'creative-reactivated': { index: 'none', reauction: 'campaign-pages' },
  'advertiser-exhausted': { index: 'mark', reauction: 'sites-with-candidates' },
  'advertiser-budget-back': { index: 'keep', reauction: 'sites-with-candidates' },
  'advertiser-suspended': { index: 'remove', reauction: 'sites-with-candidates' },
  'creative-approved': { index: 'append', reauction: 'none' },
  'creative-rejected': { index: 'remove', reauction: 'if-emptied' },
  'creative-flagged': { index: 'remove', reauction: 'site' },
  'creative-unflagged': { index: 'none', reauction: 'site' },
  'approval-revoked': { index: 'remove', reauction: 'none' },
  'ad-product-blocked': { index: 'remove', reauction: 'site' },
}

export interface AdFacts {
  readonly bannerKey: number
  readonly bidMicros: number
  readonly isActive: boolean
}

/** The fields of a campaign that decide where it may run. */
export interface CampaignFacts {
  readonly isActive: boolean
  readonly isExhausted: boolean
  readonly isAdvertiserExhausted: boolean
  readonly isAdvertiserGone: boolean
  readonly dailyMicros: number | null
  readonly maxBidMicros: number
  /** Ad product and content categories as one string. */
  readonly wanted: string
  readonly sites: readonly number[]
  readonly refusedSites: readonly number[]
  readonly ads: ReadonlyMap<number, AdFacts>
}

export interface CampaignEvent {
  readonly event: MatrixEvent
  /** Only candidates of this creative. Default: all of the campaign. */
  readonly bannerKey?: number
  /** Only on these sites. Default: wherever it has candidates. */
  readonly sites?: readonly number[]
}

/**
 * Events between two readings of a campaign. The first reading gives none: a restart is not an
 * edit.
 */
export function campaignEventsOf(
  before: CampaignFacts | undefined,
  after: CampaignFacts | undefined,
): readonly CampaignEvent[] {
  if (before === undefined) return after?.isActive ? [{ event: 'campaign-changed' }] : []
  if (after === undefined) return [{ event: 'campaign-left' }]
  if (!before.isAdvertiserGone && after.isAdvertiserGone) return [{ event: 'advertiser-suspended' }]
  if (before.isActive && !after.isActive) return [{ event: 'campaign-left' }]
  if (!before.isActive) return after.isActive ? [{ event: 'campaign-changed' }] : []
  return [
    ...placementEvents(before, after),
    ...budgetEvents(before, after),
    ...creativeEvents(before, after),
  ]
}

function placementEvents(before: CampaignFacts, after: CampaignFacts): readonly CampaignEvent[] {
  if (before.wanted !== after.wanted) return [{ event: 'campaign-left' }]
  const left = [
    ...before.sites.filter((site) => !after.sites.includes(site)),
    ...after.refusedSites.filter((site) => !before.refusedSites.includes(site)),
  ]
  const joined = [
    ...after.sites.filter((site) => !before.sites.includes(site)),
    ...before.refusedSites.filter((site) => !after.refusedSites.includes(site)),
  ]
  return [
    ...(left.length > 0 ? [{ event: 'campaign-left', sites: left } as const] : []),
    ...(joined.length > 0 ? [{ event: 'campaign-changed', sites: joined } as const] : []),
  ]
}

/** Exhaustion is an event only when it begins. */
function budgetEvents(before: CampaignFacts, after: CampaignFacts): readonly CampaignEvent[] {
  const found: CampaignEvent[] = []
  if (!before.isExhausted && after.isExhausted) found.push({ event: 'campaign-exhausted' })
  if (before.isExhausted && !after.isExhausted) found.push({ event: 'campaign-budget-back' })
  if (!before.isAdvertiserExhausted && after.isAdvertiserExhausted) {
    found.push({ event: 'advertiser-exhausted' })
  }
  if (before.isAdvertiserExhausted && !after.isAdvertiserExhausted) {
    found.push({ event: 'advertiser-budget-back' })
  }
  if (found.length === 0 && isMore(after.dailyMicros, before.dailyMicros)) {
    found.push({ event: 'campaign-budget-back' })
  }
  return found
}

const isMore = (after: number | null, before: number | null) =>
  before !== null && (after === null || after > before)

function creativeEvents(before: CampaignFacts, after: CampaignFacts): readonly CampaignEvent[] {
  const found: CampaignEvent[] = []
  let isDearer = before.maxBidMicros !== after.maxBidMicros
  for (const [adKey, was] of before.ads) {
    const is = after.ads.get(adKey)
    const { bannerKey } = was
    if (was.isActive && !is?.isActive) found.push({ event: 'creative-paused', bannerKey })
    if (!was.isActive && is?.isActive) found.push({ event: 'creative-reactivated', bannerKey })
    if (is && was.bidMicros !== is.bidMicros) isDearer = true
  }
  for (const [adKey, { bannerKey, isActive }] of after.ads) {
    if (isActive && !before.ads.has(adKey)) found.push({ event: 'creative-reactivated', bannerKey })
  }
  return isDearer ? [...found, { event: 'cpm-changed' }] : found
}

export type ApprovalStatus = 'pending' | 'approved' | 'rejected' | 'flagged'

/** The event for a site's decision on a creative. Undefined if it changes nothing. */
export function approvalEvent(
  before: ApprovalStatus | undefined,
  after: ApprovalStatus,
): MatrixEvent | undefined {
  if (before === after) return undefined
  if (before === 'flagged') return 'creative-unflagged'
  if (after === 'flagged') return 'creative-flagged'
  if (after === 'approved') return 'creative-approved'
  if (after === 'rejected') return 'creative-rejected'
  return before === undefined ? undefined : 'approval-revoked'
}
