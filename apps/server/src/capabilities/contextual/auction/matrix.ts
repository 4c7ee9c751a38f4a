/** What happens to a campaign, a creative, an advertiser or a site that pages' candidates hang on. */
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
  /** What becomes of the candidates at once. Temporary conditions mark, only deliberate ones delete. */
  readonly index: 'none' | 'keep' | 'mark' | 'remove' | 'update-cpm' | 'append'
  /** Which pages get a new auction: of the campaign, all of its sites, or of the sites it stands on. */
  readonly reauction: 'none' | 'its-pages' | 'site' | 'sites-it-stands-on' | 'if-nobody-is-left'
}

export const MATRIX: Readonly<Record<MatrixEvent, MatrixRow>> = {
  'campaign-exhausted': { index: 'mark', reauction: 'its-pages' },
  'campaign-budget-back': { index: 'keep', reauction: 'its-pages' },
  'campaign-left': { index: 'remove', reauction: 'its-pages' },
  'campaign-changed': { index: 'none', reauction: 'site' },
  'cpm-changed': { index: 'update-cpm', reauction: 'its-pages' },
  'creative-paused': { index: 'remove', reauction: 'its-pages' },
  'creative-reactivated': { index: 'none', reauction: 'its-pages' },
  'advertiser-exhausted': { index: 'mark', reauction: 'sites-it-stands-on' },
  'advertiser-budget-back': { index: 'keep', reauction: 'sites-it-stands-on' },
  'advertiser-suspended': { index: 'remove', reauction: 'sites-it-stands-on' },
  'creative-approved': { index: 'append', reauction: 'none' },
  'creative-rejected': { index: 'remove', reauction: 'if-nobody-is-left' },
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

/** What of a campaign decides who is shown where. */
export interface CampaignFacts {
  readonly isActive: boolean
  readonly isExhausted: boolean
  readonly isAdvertiserExhausted: boolean
  readonly isAdvertiserGone: boolean
  readonly dailyMicros: number | null
  readonly maxBidMicros: number
  /** Ad product and content categories, in one word. */
  readonly wanted: string
  readonly sites: readonly number[]
  readonly refusedSites: readonly number[]
  readonly ads: ReadonlyMap<number, AdFacts>
}

export interface Happening {
  readonly event: MatrixEvent
  /** Only candidates of this creative; else all of the campaign. */
  readonly bannerKey?: number
  /** Only on these sites; else wherever it stands. */
  readonly sites?: readonly number[]
}

/** What happened between two looks at a campaign. A first look is no event: a restart is not an edit. */
export function happeningsOf(
  before: CampaignFacts | undefined,
  after: CampaignFacts | undefined,
): readonly Happening[] {
  if (before === undefined) return after?.isActive ? [{ event: 'campaign-changed' }] : []
  if (after === undefined) return [{ event: 'campaign-left' }]
  if (!before.isAdvertiserGone && after.isAdvertiserGone) return [{ event: 'advertiser-suspended' }]
  if (before.isActive && !after.isActive) return [{ event: 'campaign-left' }]
  if (!before.isActive) return after.isActive ? [{ event: 'campaign-changed' }] : []
  return [
    ...placeHappenings(before, after),
    ...budgetHappenings(before, after),
    ...creativeHappenings(before, after),
  ]
}

function placeHappenings(before: CampaignFacts, after: CampaignFacts): readonly Happening[] {
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

/** Exhausted is told on the edge only. */
function budgetHappenings(before: CampaignFacts, after: CampaignFacts): readonly Happening[] {
  const found: Happening[] = []
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

function creativeHappenings(before: CampaignFacts, after: CampaignFacts): readonly Happening[] {
  const found: Happening[] = []
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

/** What a site's word on a creative means for its pages; undefined when nothing. */
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
