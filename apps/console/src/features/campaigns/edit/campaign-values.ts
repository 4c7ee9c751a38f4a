import type { Campaign } from '../../../api/types.ts'
import { orNull } from '../../../ui/forms/form.ts'
import { readInstant, readMoney, typedInstant, typedMoney } from '../../../ui/format/format.ts'

/**
 * The typed amount for the API. Text that is no amount is sent as it is, so that the server names
 * the fault.
 */
export const moneyOrNull = (text: string) => orNull(readMoney(text) ?? text)

/** Text that is no number is sent as it is, for the same reason. */
const countOrNull = (text: string) => {
  if (text.trim() === '') return null
  return Number.isNaN(Number(text)) ? text : Number(text)
}

const count = (value: number | null) => (value === null ? '' : String(value))

/** What the form of a campaign shows. */
export const valuesOf = (campaign: Campaign, zone: string) => ({
  name: campaign.name,
  description: campaign.description ?? '',
  objective: campaign.objective as string,
  pricing: campaign.pricing as string,
  pacingStrategy: campaign.pacingStrategy as string,
  budgetDailyMicros: typedMoney(campaign.budgetDailyMicros),
  budgetTotalMicros: typedMoney(campaign.budgetTotalMicros),
  impressionCap: count(campaign.impressionCap),
  clickCap: count(campaign.clickCap),
  maxBidMicros: campaign.maxBidMicros === '0' ? '' : typedMoney(campaign.maxBidMicros),
  targetCpaMicros: typedMoney(campaign.targetCpaMicros),
  mayExceedMaxBid: String(campaign.mayExceedMaxBid),
  startsAt: typedInstant(campaign.startsAt, zone),
  endsAt: typedInstant(campaign.endsAt, zone),
  priority: String(campaign.priority),
  contractRef: campaign.contractRef ?? '',
  externalId: campaign.externalId ?? '',
  sellpageId: campaign.sellpageId ?? '',
  adProductCategory: campaign.adProductCategory ?? '',
  categories: campaign.categories.join(','),
  exclusionLabels: campaign.exclusionLabels.join(', '),
  runsOnUnknownPages: String(campaign.runsOnUnknownPages),
  placementWishes: campaign.placementWishes ?? '',
})

export type CampaignValues = ReturnType<typeof valuesOf>
type Field = keyof CampaignValues

const AS_SENT: Readonly<Partial<Record<Field, (text: string, zone: string) => unknown>>> = {
  name: (text) => text,
  objective: (text) => text,
  pricing: (text) => text,
  pacingStrategy: (text) => text,
  budgetDailyMicros: moneyOrNull,
  budgetTotalMicros: moneyOrNull,
  impressionCap: countOrNull,
  clickCap: countOrNull,
  maxBidMicros: (text) => moneyOrNull(text) ?? '0',
  targetCpaMicros: moneyOrNull,
  mayExceedMaxBid: (text) => text === 'true',
  startsAt: readInstant,
  endsAt: readInstant,
  priority: (text) => countOrNull(text) ?? 0,
  categories: (text) => text.split(',').filter(Boolean),
  exclusionLabels: (text) =>
    text
      .split(',')
      .map((label) => label.trim())
      .filter(Boolean),
  runsOnUnknownPages: (text) => text === 'true',
}

interface Edited {
  readonly before: CampaignValues
  readonly after: CampaignValues
  readonly zone: string
}

/** Only what was changed: an untouched date keeps its milliseconds, and others' changes stay. */
export function changesIn({ before, after, zone }: Edited): Readonly<Record<string, unknown>> {
  const fields = (Object.keys(after) as Field[]).filter((field) => after[field] !== before[field])
  return Object.fromEntries(
    fields.map((field) => [field, (AS_SENT[field] ?? orNull)(after[field], zone)]),
  )
}
