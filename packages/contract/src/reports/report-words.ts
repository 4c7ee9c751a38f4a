import type { ReportDimension, ReportMetric } from './reports.ts'

/** Dimensions as people read them, in files and in the console. */
export const DIMENSION_WORDS: Readonly<Record<ReportDimension, string>> = {
  campaign: 'Campaign',
  advertiser: 'Advertiser',
  channel: 'Channel',
  adSet: 'Ad set',
  ad: 'Ad',
  banner: 'Banner',
  placement: 'Placement',
  site: 'Site',
  country: 'Country',
  device: 'Device',
  label: 'Traffic',
  hour: 'Hour',
  day: 'Day',
  week: 'Week',
  month: 'Month',
  budgetDay: 'Budget day',
}

export const METRIC_WORDS: Readonly<Record<ReportMetric, string>> = {
  impressions: 'Impressions',
  views: 'Viewable impressions',
  viewRate: 'Viewability',
  reach: 'Reach',
  clicks: 'Clicks',
  ctr: 'CTR',
  spend: 'Spend (rounded)',
  spendMicros: 'Spend',
  cpm: 'CPM',
  cpc: 'CPC',
  videoStarts: 'Video starts',
  firstQuartiles: 'Video first quartiles',
  midpoints: 'Video midpoints',
  thirdQuartiles: 'Video third quartiles',
  videoCompletes: 'Video completions',
  completionRate: 'Video completion rate',
  contentViews: 'Content views',
  costPerView: 'Cost per content view',
  addToCarts: 'Added to cart',
  checkouts: 'Checkouts',
  checkoutRate: 'Checkout rate',
  costPerCheckout: 'Cost per checkout',
  purchases: 'Purchases',
  purchaseRate: 'Purchase rate',
  conversionRate: 'Conversion rate',
  costPerPurchase: 'Cost per purchase',
  revenue: 'Revenue (rounded)',
  revenueMicros: 'Revenue',
  roas: 'ROAS',
  overDelivered: 'Over-delivery',
}

const CHANNELS: Readonly<Record<string, string>> = { onsite: 'Own sites', meta: 'Meta' }
const DEVICES: Readonly<Record<string, string>> = {
  mobile: 'Phone',
  tablet: 'Tablet',
  desktop: 'Computer',
}
const UNKNOWN: ReadonlySet<string> = new Set(['country', 'device'])
const countries = new Intl.DisplayNames('en', { type: 'region', fallback: 'code' })

/** A value of a dimension as people read it. House banners run without a campaign. */
export function valueWord(dimension: ReportDimension, value: string | null | undefined): string {
  if (!value) {
    return UNKNOWN.has(dimension) ? 'Unknown' : `No ${DIMENSION_WORDS[dimension].toLowerCase()}`
  }
  if (dimension === 'channel') return CHANNELS[value] ?? value
  if (dimension === 'country') return /^[A-Z]{2}$/.test(value) ? countries.of(value)! : value
  return dimension === 'device' ? (DEVICES[value] ?? value) : value
}
