import type { Banner, Campaign, Placement } from '../../../api/types.ts'
import { readMoney, sayTypedMoney } from '../../../ui/format/format.ts'
import type { RuleDraft } from '../rule-draft.ts'

/** A campaign while a user books it. */
export interface Draft {
  readonly advertiserId: string
  readonly name: string
  readonly objective: Campaign['objective']
  readonly pricing: Campaign['pricing']
  readonly budgetDaily: string
  readonly bid: string
  /** What a purchase may cost on average. Only where clicks are paid for. */
  readonly targetCpa: string
  readonly pacing: Campaign['pacingStrategy']
  readonly startsAt: string
  readonly endsAt: string
  readonly rules: readonly RuleDraft[]
  readonly capTimes: string
  readonly capWindow: string
  readonly bannerIds: readonly string[]
  readonly placementIds: readonly string[]
}

export const EMPTY_DRAFT: Draft = {
  advertiserId: '',
  name: '',
  objective: 'traffic',
  pricing: 'cpc',
  budgetDaily: '50',
  bid: '0.40',
  targetCpa: '',
  pacing: 'Smooth',
  startsAt: '',
  endsAt: '',
  rules: [],
  capTimes: '4',
  capWindow: 'Day',
  bannerIds: [],
  placementIds: [],
}

/** Defaults per objective: traffic pays per click, awareness per thousand impressions. */
export const SUITS: Readonly<Record<Campaign['objective'], Pick<Draft, 'pricing' | 'bid'>>> = {
  awareness: { pricing: 'cpm', bid: '3.00' },
  traffic: { pricing: 'cpc', bid: '0.40' },
  engagement: { pricing: 'cpc', bid: '0.30' },
  conversions: { pricing: 'cpc', bid: '0.60' },
  sales: { pricing: 'cpc', bid: '0.60' },
}

/** Average impressions and clicks per day on the chosen placements. */
export interface Supply {
  readonly impressionsPerDay: number
  readonly ctr: number
}

export interface Estimate {
  readonly impressions: number
  readonly clicks: number
  /** The limiting factor: the budget, or the placements' impressions. */
  readonly boundBy: 'budget' | 'supply'
}

const USUAL_CTR = 0.02

/** An estimate of the most a day can bring at this bid. */
export function estimateDay(
  { budgetDaily, bid, pricing }: Pick<Draft, 'budgetDaily' | 'bid' | 'pricing'>,
  supply: Supply | undefined,
): Estimate | undefined {
  const budget = Number(readMoney(budgetDaily) ?? 0)
  const price = Number(readMoney(bid) ?? 0)
  if (budget <= 0 || price <= 0) return undefined
  const ctr = supply?.ctr || USUAL_CTR
  const affordable = pricing === 'cpm' ? (budget / price) * 1_000 : budget / price / ctr
  const available = supply?.impressionsPerDay || Infinity
  const impressions = Math.min(affordable, available)
  return {
    impressions: Math.round(impressions),
    clicks: Math.round(impressions * ctr),
    boundBy: available < affordable ? 'supply' : 'budget',
  }
}

export interface Check {
  readonly isGood: boolean
  readonly text: string
}

interface Chosen {
  readonly banners: readonly Pick<Banner, 'title' | 'isActive' | 'ctaUrl'>[]
  readonly placements: readonly Pick<Placement, 'label' | 'floorMicros' | 'currency' | 'mode'>[]
  readonly currency: string
}

/** Checks and warnings before the campaign starts. */
export function checkDraft(draft: Draft, { banners, placements, currency }: Chosen): Check[] {
  const bid = BigInt(readMoney(draft.bid) ?? 0)
  const tooDear = placements.filter(
    ({ floorMicros }) => draft.pricing === 'cpm' && bid < BigInt(floorMicros),
  )
  const foreign = placements.filter(
    (placement) => placement.currency && placement.currency !== currency,
  )
  const booked = placements.filter(({ mode }) => mode === 'direct')
  return [
    say(draft.name !== '', 'The campaign has a name.', 'The campaign needs a name.'),
    say(
      readMoney(draft.budgetDaily) !== undefined,
      `It spends at most ${sayTypedMoney(draft.budgetDaily, currency)} per day.`,
      'No daily budget is set: spend per day is not limited.',
    ),
    ...(draft.pricing === 'cpc' && draft.targetCpa !== '' ? [checkTarget(draft, currency)] : []),
    say(
      banners.length > 0,
      `It shows ${namesOf(banners.map(({ title }) => title))}.`,
      'No banner is chosen.',
    ),
    ...banners
      .filter(({ ctaUrl }) => !ctaUrl)
      .map(({ title }) => say(false, '', `“${title}” has no landing page: clicks lead nowhere.`)),
    ...banners
      .filter(({ isActive }) => !isActive)
      .map(({ title }) => say(false, '', `“${title}” is inactive.`)),
    say(
      placements.length > 0,
      `It runs on ${namesOf(placements.map(({ label }) => label))}.`,
      'No placement is chosen: the campaign will not deliver until one is added.',
    ),
    ...tooDear.map(({ label }) =>
      say(false, '', `The bid is below the floor price of ${label}: it cannot win there.`),
    ),
    ...foreign.map(({ label, currency: other }) =>
      say(
        false,
        '',
        `${label} sells in ${other}, the campaign pays in ${currency}: it cannot win there.`,
      ),
    ),
    ...booked.map(({ label }) =>
      say(
        false,
        '',
        `${label} takes booked banners only: book one there after creating the campaign.`,
      ),
    ),
  ]
}

const checkTarget = ({ targetCpa }: Draft, currency: string): Check =>
  say(
    Number(readMoney(targetCpa) ?? 0) > 0,
    `A purchase may cost ${sayTypedMoney(targetCpa, currency)} on average.`,
    'The target cost per purchase is not an amount.',
  )

const say = (isGood: boolean, good: string, bad: string): Check => ({
  isGood,
  text: isGood ? good : bad,
})

const NAMED_MAX = 3

function namesOf(names: readonly string[]): string {
  const named = names.slice(0, NAMED_MAX).map((name) => `“${name}”`)
  const more = names.length - named.length
  return more > 0 ? `${named.join(', ')} and ${more} more` : named.join(' and ')
}
