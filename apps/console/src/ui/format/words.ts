import { toDecimal, micros } from '@placard/money'
import { sayWord } from './format.ts'

/** Names of the API's fields, as forms and tables call them. All others are split at their capitals. */
const FIELDS: Readonly<Record<string, string>> = {
  adProductCategory: 'Product category',
  approvalRequired: 'Require approval',
  budgetDailyMicros: 'Daily budget',
  budgetTotalMicros: 'Total budget',
  clickCap: 'Maximum clicks',
  ctaLabel: 'Button text',
  ctaOpenNewTab: 'Open in a new tab',
  ctaUrl: 'Landing page URL',
  endsAt: 'Ends',
  expiresAt: 'Until',
  floorMicros: 'Floor price',
  impressionCap: 'Maximum impressions',
  isActive: 'Active',
  isFallback: 'Fallback',
  maxBidMicros: 'Maximum bid',
  maxImpressionsPerUser: 'Maximum impressions per user',
  mayExceedMaxBid: 'May exceed maximum bid',
  openNewTab: 'Open in a new tab',
  pacingStrategy: 'Pacing',
  placementWishes: 'Other placements wanted',
  primaryImageAlt: 'Alternative text',
  primaryImageUrl: 'Image URL',
  publishAt: 'From',
  ruleType: 'Attribute',
  startsAt: 'Starts',
  targetCpaMicros: 'Target cost per purchase',
}

/** `maxBidMicros` → `Maximum bid`, `displayOrder` → `Display order`, `advertiserId` → `Advertiser`. */
export function fieldLabel(field: string): string {
  const known = FIELDS[field]
  if (known !== undefined) return known
  const words = field.replace(/(?<=[a-z])(?:Micros|Id|Ids)$/, '').replaceAll(/([A-Z])/g, ' $1')
  return sayWord(words.toLowerCase())
}

/** Text of the server with labels for fields: "First set startsAt" → "First set “Starts”". */
export const inLabels = (text: string): string =>
  text.replaceAll(
    /`?\b([a-z]+(?:[A-Z][a-z]+)+)\b`?/g,
    (_, field: string) => `“${fieldLabel(field)}”`,
  )

/** A value of a field as people read it: amounts as decimals, nothing as "none". */
export function fieldValue(field: string, value: unknown): string {
  if (value === null || value === undefined || value === '') return 'none'
  if (field.endsWith('Micros')) return toDecimal(micros(BigInt(asText(value))))
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(asText).join(', ')
  return asText(value)
}

const asText = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value)
