import type {
  Ad,
  Assignment,
  Banner,
  BidMultiplier,
  Campaign,
  Change,
  FrequencyCap,
  Placement,
  Site,
  SpendVerdict,
  TargetingRule,
} from '../changes/records.ts'

/** The catalogue as plain rows, as a fresh read of the database returns them. */
export class PlainCatalogue {
  readonly sites = new Map<number, Site>()
  readonly placements = new Map<number, Placement>()
  readonly campaigns = new Map<number, Campaign>()
  readonly ads = new Map<number, Ad>()
  readonly banners = new Map<number, Banner>()
  readonly assignments = new Map<number, Assignment>()
  readonly rules = new Map<number, TargetingRule>()
  readonly caps = new Map<number, FrequencyCap>()
  /** Pairs as `left-right`. */
  readonly campaignPlacements = new Set<string>()
  readonly advertiserBlocks = new Set<string>()
  readonly adProductBlocks = new Set<string>()
  readonly approvals = new Set<string>()
  readonly spendVerdicts = new Map<number, SpendVerdict>()
  readonly bidMultipliers = new Map<number, BidMultiplier>()
  readonly conversionOdds = new Map<number, number>()

  apply(change: Change): void {
    if ('put' in change) this.put(change)
    else this.remove(change)
  }

  /** The rows as puts, to build a new index. */
  toChanges(): Change[] {
    return [
      ...[...this.ads.values()].map((record): Change => ({ put: 'ad', record })),
      ...[...this.sites.values()].map((record): Change => ({ put: 'site', record })),
      ...[...this.placements.values()].map((record): Change => ({ put: 'placement', record })),
      ...[...this.campaigns.values()].map((record): Change => ({ put: 'campaign', record })),
      ...[...this.banners.values()].map((record): Change => ({ put: 'banner', record })),
      ...[...this.assignments.values()].map((record): Change => ({ put: 'assignment', record })),
      ...[...this.rules.values()].map((record): Change => ({ put: 'rule', record })),
      ...[...this.caps.values()].map((record): Change => ({ put: 'cap', record })),
      ...pairs(this.campaignPlacements).map(([campaign, placement]): Change => ({
        put: 'campaign-placement',
        record: { campaignKey: Number(campaign), placementKey: Number(placement), active: true },
      })),
      ...pairs(this.advertiserBlocks).map(([site, advertiser]): Change => ({
        put: 'advertiser-block',
        record: { siteKey: Number(site), advertiserKey: Number(advertiser) },
      })),
      ...pairs(this.adProductBlocks).map(([site, category]): Change => ({
        put: 'ad-product-block',
        record: { siteKey: Number(site), category: category! },
      })),
      ...pairs(this.approvals).map(([site, banner]): Change => ({
        put: 'approval',
        record: { siteKey: Number(site), bannerKey: Number(banner) },
      })),
      ...[...this.spendVerdicts].map(([campaignKey, verdict]): Change => ({
        put: 'spend-verdict',
        record: { campaignKey, verdict },
      })),
      ...[...this.bidMultipliers.values()].map((record): Change => ({
        put: 'bid-multiplier',
        record,
      })),
      ...[...this.conversionOdds].map(([adKey, odds]): Change => ({
        put: 'conversion-odds',
        record: { adKey, odds },
      })),
    ]
  }

  private put(change: Extract<Change, { put: string }>): void {
    switch (change.put) {
      case 'site':
        this.sites.set(change.record.key, change.record)
        break
      case 'placement':
        this.placements.set(change.record.key, change.record)
        break
      case 'campaign':
        this.campaigns.set(change.record.key, change.record)
        break
      case 'ad':
        this.ads.set(change.record.key, change.record)
        break
      case 'banner':
        this.banners.set(change.record.key, change.record)
        break
      case 'assignment':
        this.assignments.set(change.record.key, change.record)
        break
      case 'rule':
        this.rules.set(change.record.key, change.record)
        break
      case 'cap':
        this.caps.set(change.record.key, change.record)
        break
      case 'campaign-placement':
        setPair(this.campaignPlacements, pairName(change.record), change.record.active)
        break
      case 'spend-verdict':
        this.spendVerdicts.set(change.record.campaignKey, change.record.verdict)
        break
      case 'advertiser-block':
        this.advertiserBlocks.add(`${change.record.siteKey}-${change.record.advertiserKey}`)
        break
      case 'ad-product-block':
        this.adProductBlocks.add(`${change.record.siteKey}-${change.record.category}`)
        break
      case 'approval':
        this.approvals.add(`${change.record.siteKey}-${change.record.bannerKey}`)
        break
      case 'bid-multiplier':
        this.bidMultipliers.set(change.record.campaignKey, change.record)
        break
      case 'conversion-odds':
        this.conversionOdds.set(change.record.adKey, change.record.odds)
        break
      case 'click-odds':
        throw new Error('learned.test.ts tests learned values')
    }
  }

  private remove(change: Extract<Change, { remove: string }>): void {
    if ('key' in change) {
      this[TABLES[change.remove]].delete(change.key)
    } else if (change.remove === 'rule') {
      this.rules.delete(change.record.key)
    } else if (change.remove === 'campaign-placement') {
      this.campaignPlacements.delete(pairName(change.record))
    } else if (change.remove === 'advertiser-block') {
      this.advertiserBlocks.delete(`${change.record.siteKey}-${change.record.advertiserKey}`)
    } else if (change.remove === 'ad-product-block') {
      this.adProductBlocks.delete(`${change.record.siteKey}-${change.record.category}`)
    } else {
      this.approvals.delete(`${change.record.siteKey}-${change.record.bannerKey}`)
    }
  }
}

const TABLES = {
  site: 'sites',
  placement: 'placements',
  campaign: 'campaigns',
  ad: 'ads',
  banner: 'banners',
  assignment: 'assignments',
  cap: 'caps',
} as const

const pairs = (names: Set<string>) => [...names].map((name) => name.split('-'))

const pairName = (pair: { campaignKey: number; placementKey: number }) =>
  `${pair.campaignKey}-${pair.placementKey}`

function setPair(pairs: Set<string>, name: string, wanted: boolean): void {
  if (wanted) pairs.add(name)
  else pairs.delete(name)
}
