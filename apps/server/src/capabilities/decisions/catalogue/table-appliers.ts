import { applyChange, type CapScope, costOf, type DecisionIndex } from '@placard/decision-engine'
import type { BudgetBook } from '../../budgets/index.ts'
import type { CapKey } from '../../frequency/index.ts'
import type { TableName, TableRow } from './catalogue-rows.ts'
import { addTo, bannerContent, bannerSizes, type Content, dropFrom } from './content.ts'

/** What rows are applied to. */
export interface CatalogueState {
  readonly index: DecisionIndex
  readonly content: Content
  readonly budgets: Pick<
    BudgetBook,
    'putAdvertiser' | 'putCampaign' | 'removeCampaign' | 'expectCost'
  >
}

/** Identifies one row of a unit; the unit itself if it has only one row. */
export type Member = number | string

/** Puts rows of one table into the index, the content and the budget book, and removes them. */
export interface TableApplier<Table extends TableName> {
  /** For units with several rows: identifies this one. */
  memberOf?(row: TableRow<Table>): Member
  put(state: CatalogueState, row: TableRow<Table>): void
  remove(state: CatalogueState, unit: number, member: Member): void
  /**
   * Called after `put` threw, perhaps half-way. Whatever the row stands for must now serve less,
   * never more or cheaper than its owner asked for.
   */
  refuse(state: CatalogueState, row: TableRow<Table>): void
}

const advertisers: TableApplier<'advertisers'> = {
  put({ budgets, content }, { unit, publicId, name, domain, dailyMicros, timeZone }) {
    content.advertisers.set(unit, { publicId, name, domain })
    budgets.putAdvertiser({
      advertiserKey: unit,
      dailyMicros: dailyMicros ?? undefined,
      timeZone,
    })
  },
  // Its campaigns are removed with it, and nothing else reads its terms.
  remove({ content }, unit) {
    content.advertisers.delete(unit)
  },
  /** Without a time zone and without a budget, none of its campaigns spends. */
  refuse({ budgets }, { unit }) {
    budgets.putAdvertiser({ advertiserKey: unit, dailyMicros: 0, timeZone: '' })
  },
}

const sites: TableApplier<'sites'> = {
  put({ index, content }, row) {
    const { unit: key, publicId, accountKey, domain, timeZone, pacing, approvalRequired } = row
    const { isActive, isProven } = row
    applyChange(index, { put: 'site', record: { key, approvalRequired } })
    const site = { key, publicId, accountKey, domain, isActive, isProven, timeZone, pacing }
    content.sites.set(key, site)
    content.siteByPublicId.set(publicId, site)
  },
  remove({ index, content }, key) {
    applyChange(index, { remove: 'site', key })
    const site = content.sites.get(key)
    if (site !== undefined) content.siteByPublicId.delete(site.publicId)
    content.sites.delete(key)
  },
  /** Its placements then show approved banners only. */
  refuse(state, { unit: key }) {
    sites.remove(state, key, key)
    applyChange(state.index, { put: 'site', record: { key, approvalRequired: true } })
  },
}

const placements: TableApplier<'placements'> = {
  put({ index, content }, row) {
    const { unit: key, siteKey, recommendedWidth: width, recommendedHeight: height } = row
    applyChange(index, {
      put: 'placement',
      record: {
        key,
        slug: row.slug,
        type: row.type,
        publisherKey: row.publisherKey,
        siteKey: siteKey ?? undefined,
        mode: row.mode,
        active: row.isActive,
        maxBanners: row.maxBanners,
        allowPartialRender: row.allowPartialRender,
        rotation: row.rotation,
        floorMicros: row.floorMicros,
        timeZone: row.timeZone,
        currency: row.currency,
        width: row.slotWidth ?? width ?? undefined,
        height: row.slotHeight ?? height ?? undefined,
        sizes: sizesOf(width, height),
        formats: row.formats,
      },
    })
    const before = content.placements.get(key)?.siteKey
    if (before != null) dropFrom(content.placementsOfSite, before, key)
    if (siteKey !== null) addTo(content.placementsOfSite, siteKey, key)
    content.placements.set(key, row)
  },
  remove({ index, content }, key) {
    applyChange(index, { remove: 'placement', key })
    const siteKey = content.placements.get(key)?.siteKey
    if (siteKey != null) dropFrom(content.placementsOfSite, siteKey, key)
    content.placements.delete(key)
  },
  refuse: (state, { unit }) => placements.remove(state, unit, unit),
}

const sizesOf = (width: number | null, height: number | null) =>
  width === null || height === null ? undefined : [`${width}x${height}`]

const campaigns: TableApplier<'campaigns'> = {
  put({ index, content, budgets }, row) {
    const { unit: key, advertiserKey, status, pricing, currency, maxBidMicros } = row
    const rateMicros = row.source === 'internal' && row.isHouse ? 0 : maxBidMicros
    applyChange(index, {
      put: 'campaign',
      record: {
        key,
        advertiserKey,
        status,
        startsAtMs: row.startsAtMs ?? undefined,
        endsAtMs: row.endsAtMs ?? undefined,
        pricing,
        currency,
        bidMicrosMax: maxBidMicros > 0 ? maxBidMicros : undefined,
        bidMultiplier: 1,
        mayExceedMax: row.mayExceedMax,
        targetMicros: row.targetMicros ?? undefined,
        rateMicros,
        priority: row.priority,
        categories: row.categories,
        runsOnUnknownPages: row.runsOnUnknownPages,
        adProductCategory: row.adProductCategory ?? undefined,
        exclusionLabels: row.exclusionLabels,
        impressionCapReached: row.impressionCapReached,
        clickCapReached: row.clickCapReached,
      },
    })
    budgets.putCampaign({
      campaignKey: key,
      advertiserKey,
      dailyMicros: row.dailyMicros ?? undefined,
      totalMicros: row.totalMicros ?? undefined,
      strategy: row.strategy,
      isActive: status === 'active',
    })
    budgets.expectCost(key, costOf(pricing === 'cpc', rateMicros))
    forgetContract(content, key)
    if (row.contractRef !== null) addTo(content.campaignsOfContract, row.contractRef, key)
    content.campaigns.set(key, {
      publicId: row.publicId,
      contractRef: row.contractRef,
      adProduct: row.adProductCategory,
      currency,
      isActive: status === 'active',
      status,
      startsAtMs: row.startsAtMs,
      pricing,
      rateMicros,
      dailyMicros: row.dailyMicros,
      strategy: row.strategy,
    })
  },
  remove({ index, content, budgets }, key) {
    applyChange(index, { remove: 'campaign', key })
    budgets.removeCampaign(key)
    forgetContract(content, key)
    content.campaigns.delete(key)
  },
  refuse: (state, { unit }) => campaigns.remove(state, unit, unit),
}

function forgetContract(content: Content, key: number): void {
  const contract = content.campaigns.get(key)?.contractRef
  if (contract != null) dropFrom(content.campaignsOfContract, contract, key)
}

const ads: TableApplier<'ads'> = {
  put({ index, content, budgets }, row) {
    const { unit: key, publicId, campaignKey, bannerKey, bidMicros, isActive } = row
    const record = { key, campaignKey, bannerKey, active: isActive, bidMicros }
    applyChange(index, { put: 'ad', record })
    content.ads.set(key, { publicId, campaignKey, bannerKey, bidMicros })
    addTo(content.adsOfCampaign, campaignKey, key)
    const isCpc = content.campaigns.get(campaignKey)?.pricing === 'cpc'
    if (isActive) budgets.expectCost(campaignKey, costOf(isCpc, bidMicros))
  },
  remove({ index, content }, key) {
    applyChange(index, { remove: 'ad', key })
    const ad = content.ads.get(key)
    if (ad !== undefined) dropFrom(content.adsOfCampaign, ad.campaignKey, key)
    content.ads.delete(key)
  },
  refuse: (state, { unit }) => ads.remove(state, unit, unit),
}

const banners: TableApplier<'banners'> = {
  put({ index, content }, row) {
    const sizes = bannerSizes(row)
    applyChange(index, {
      put: 'banner',
      record: {
        key: row.unit,
        advertiserKey: row.advertiserKey,
        format: row.format,
        sizes: sizes.length === 0 ? undefined : sizes,
        active: row.isActive,
        scheduleStatus: row.scheduleStatus,
        publishAtMs: row.publishAtMs ?? undefined,
        expiresAtMs: row.expiresAtMs ?? undefined,
        timeZone: row.timeZone,
        recurrenceRule: row.recurrenceRule ?? undefined,
        windowStart: row.windowStart ?? undefined,
        windowEnd: row.windowEnd ?? undefined,
        adProductCategory: row.adProductCategory ?? undefined,
        evergreenFallback: row.evergreenFallback,
        housePublisherKey: row.housePublisherKey ?? undefined,
        priority: row.priority,
      },
    })
    content.banners.set(row.unit, bannerContent(row))
  },
  remove({ index, content }, key) {
    applyChange(index, { remove: 'banner', key })
    content.banners.delete(key)
  },
  refuse: (state, { unit }) => banners.remove(state, unit, unit),
}

const links: TableApplier<'campaign_placements'> = {
  memberOf: ({ placementKey }) => placementKey,
  put({ index, content }, { unit: campaignKey, placementKey, isActive }) {
    applyChange(index, {
      put: 'campaign-placement',
      record: { campaignKey, placementKey, active: isActive },
    })
    if (isActive) addTo(content.campaignsOfPlacement, placementKey, campaignKey)
    else dropFrom(content.campaignsOfPlacement, placementKey, campaignKey)
  },
  remove({ index, content }, campaignKey, member) {
    const placementKey = Number(member)
    applyChange(index, { remove: 'campaign-placement', record: { campaignKey, placementKey } })
    dropFrom(content.campaignsOfPlacement, placementKey, campaignKey)
  },
  refuse: (state, { unit, placementKey }) => links.remove(state, unit, placementKey),
}

const assignments: TableApplier<'banner_assignments'> = {
  memberOf: ({ key }) => key,
  put({ index, content }, row) {
    const { unit: campaignKey, key, isActive, fallbackPriority } = row
    const { placementKey, bannerKey, displayOrder, weight, isFallback } = row
    const order = { displayOrder, weight, isFallback }
    applyChange(index, {
      put: 'assignment',
      record: {
        ...order,
        key,
        campaignKey,
        placementKey,
        bannerKey,
        active: isActive,
        fallbackPriority: fallbackPriority ?? undefined,
      },
    })
    const { headline, subheadline, ctaLabel, ctaUrl, transitionDurationMs } = row
    const overrides = { headline, subheadline, ctaLabel, ctaUrl, transitionDurationMs }
    const isPlain = Object.values(overrides).every((value) => value === null)
    if (isPlain) content.overrides.delete(key)
    else content.overrides.set(key, overrides)
  },
  remove({ index, content }, _campaignKey, member) {
    const key = Number(member)
    applyChange(index, { remove: 'assignment', key })
    content.overrides.delete(key)
  },
  refuse: (state, { unit, key }) => assignments.remove(state, unit, key),
}

const rules: TableApplier<'campaign_targeting_rules'> = {
  memberOf: ({ key }) => key,
  put({ index }, { unit: campaignKey, key, type, operator, value, isActive }) {
    const record = { key, campaignKey, type, operator, value, active: isActive }
    applyChange(index, { put: 'rule', record })
  },
  remove({ index }, campaignKey, member) {
    applyChange(index, { remove: 'rule', record: { key: Number(member), campaignKey } })
  },
  /** Replaced by a rule that no hour fulfils, so that the campaign is not shown to everybody. */
  refuse({ index }, { unit: campaignKey, key, isActive }) {
    const never = { type: 'hour_of_day', operator: 'in', value: { values: [] } } as const
    const record = { key, campaignKey, ...never, active: isActive }
    applyChange(index, { put: 'rule', record })
  },
}

const caps: TableApplier<'frequency_caps'> = {
  put(state, row) {
    const { unit: key, impressionsMax, window } = row
    dropCap(state.content, key)
    const scope = scopeOf(row)
    const scopeKey = (row.adKey ?? row.campaignKey ?? row.advertiserKey)!
    const record = { key, scope, scopeKey, impressionsMax, window }
    applyChange(state.index, { put: 'cap', record })
    const cap = { scope, key: scopeKey, window, impressionsMax }
    state.content.capByKey.set(key, cap)
    const others = state.content.caps[scope].get(scopeKey) ?? []
    state.content.caps[scope].set(scopeKey, [...others, cap])
  },
  remove({ index, content }, key) {
    applyChange(index, { remove: 'cap', key })
    dropCap(content, key)
  },
  /** A cap of zero: nobody sees what it limits. */
  refuse: (state, row) => caps.put(state, { ...row, impressionsMax: 0, window: 'Lifetime' }),
}

function scopeOf({ adKey, campaignKey }: TableRow<'frequency_caps'>): CapScope {
  if (adKey !== null) return 'ad'
  return campaignKey === null ? 'advertiser' : 'campaign'
}

function dropCap({ capByKey, caps }: Content, key: number): void {
  const cap: CapKey | undefined = capByKey.get(key)
  if (cap === undefined) return
  capByKey.delete(key)
  const others = caps[cap.scope].get(cap.key)!.filter((other) => other !== cap)
  if (others.length === 0) caps[cap.scope].delete(cap.key)
  else caps[cap.scope].set(cap.key, others)
}

const advertiserBlocks: TableApplier<'advertiser_site_blocks'> = {
  memberOf: ({ siteKey }) => siteKey,
  put({ index }, { unit: advertiserKey, siteKey }) {
    applyChange(index, { put: 'advertiser-block', record: { siteKey, advertiserKey } })
  },
  remove({ index }, advertiserKey, member) {
    const record = { siteKey: Number(member), advertiserKey }
    applyChange(index, { remove: 'advertiser-block', record })
  },
  refuse() {},
}

const adProductBlocks: TableApplier<'site_ad_product_blocks'> = {
  memberOf: ({ category }) => category,
  put({ index }, { unit: siteKey, category }) {
    applyChange(index, { put: 'ad-product-block', record: { siteKey, category } })
  },
  remove({ index }, siteKey, member) {
    const record = { siteKey, category: String(member) }
    applyChange(index, { remove: 'ad-product-block', record })
  },
  refuse() {},
}

const approvals: TableApplier<'creative_approvals'> = {
  memberOf: ({ siteKey, bannerKey }) => `${siteKey} ${bannerKey}`,
  put({ index }, { siteKey, bannerKey }) {
    applyChange(index, { put: 'approval', record: { siteKey, bannerKey } })
  },
  remove({ index }, _id, member) {
    const [siteKey, bannerKey] = String(member).split(' ').map(Number)
    applyChange(index, {
      remove: 'approval',
      record: { siteKey: siteKey!, bannerKey: bannerKey! },
    })
  },
  refuse() {},
}

/** Parents before children. The index takes any order, but this one sorts least. */
export const TABLE_APPLIERS: { readonly [Table in TableName]: TableApplier<Table> } = {
  advertisers,
  sites,
  site_ad_product_blocks: adProductBlocks,
  advertiser_site_blocks: advertiserBlocks,
  placements,
  campaigns,
  campaign_placements: links,
  campaign_targeting_rules: rules,
  frequency_caps: caps,
  banners,
  creative_approvals: approvals,
  ads,
  banner_assignments: assignments,
}
