import type { Banner, BookingFault, Campaign, CampaignDraft } from '../../../api/types.ts'
import { readInstant, readMoney, typedMoney } from '../../../ui/format/format.ts'
import { ruleOf, type RuleDraft } from '../rule-draft.ts'

/** A campaign while a user books it: the form as it is typed. */
export interface Draft {
  readonly advertiserId: string
  readonly name: string
  readonly objective: Campaign['objective']
  readonly pricing: Campaign['pricing']
  readonly budgetDaily: string
  readonly budgetTotal: string
  readonly impressionGoal: string
  readonly clickGoal: string
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
  readonly placementWishes: string
}

/** What is set here is named in the review. */
export const EMPTY_DRAFT: Draft = {
  advertiserId: '',
  name: '',
  objective: 'traffic',
  pricing: 'cpc',
  budgetDaily: '50',
  budgetTotal: '',
  impressionGoal: '',
  clickGoal: '',
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
  placementWishes: '',
}

/** Defaults per objective: traffic pays per click, awareness per thousand impressions. */
export const SUITS: Readonly<Record<Campaign['objective'], Pick<Draft, 'pricing' | 'bid'>>> = {
  awareness: { pricing: 'cpm', bid: '3.00' },
  traffic: { pricing: 'cpc', bid: '0.40' },
  engagement: { pricing: 'cpc', bid: '0.30' },
  conversions: { pricing: 'cpc', bid: '0.60' },
  sales: { pricing: 'cpc', bid: '0.60' },
}

export const STEPS = ['goal', 'budget', 'audience', 'creative', 'where', 'review'] as const
export type Step = (typeof STEPS)[number]
type Form = CampaignDraft['form']

/** The form for the server, with the step that is open. An empty choice is left out. */
export const formOf = ({ advertiserId, ...draft }: Draft, step: Step): Form => ({
  ...draft,
  rules: draft.rules.map((rule) => ({ ...rule })),
  bannerIds: [...draft.bannerIds],
  placementIds: [...draft.placementIds],
  step,
  advertiserId: advertiserId || null,
})

/** The draft of a kept form; what it does not have is as in a new one. */
export function draftFrom(form: Form): Draft {
  const { step: _, advertiserId, ...typed } = form
  return { ...EMPTY_DRAFT, ...(typed as Partial<Draft>), advertiserId: advertiserId ?? '' }
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

interface Facts {
  /** Of the advertiser. */
  readonly zone: string
  /** Placements that take only creatives booked there directly. */
  readonly direct: ReadonlySet<string>
  /** The chosen ones: their ads have the same names. */
  readonly banners: readonly Pick<Banner, 'id' | 'title'>[]
}

const COUNT = /^[1-9]\d{0,8}$/
const countIn = (text: string) => (COUNT.test(text.trim()) ? Number(text) : null)
const moneyIn = (text: string) => {
  const amount = readMoney(text)
  return amount === undefined || amount === '0' ? null : amount
}

/** The booking that the form describes, as far as it can be read. */
export function bookingOf(draft: Draft, { zone, direct, banners }: Facts) {
  const titleOf = new Map(banners.map(({ id, title }) => [id, title]))
  const { advertiserId, name, bannerIds, placementIds } = draft
  const times = countIn(draft.capTimes)
  return {
    campaign: {
      ...(advertiserId && { advertiserId }),
      ...(name.trim() && { name: name.trim() }),
      objective: draft.objective,
      pricing: draft.pricing,
      pacingStrategy: draft.pacing,
      budgetDailyMicros: moneyIn(draft.budgetDaily),
      budgetTotalMicros: moneyIn(draft.budgetTotal),
      impressionCap: countIn(draft.impressionGoal),
      clickCap: countIn(draft.clickGoal),
      maxBidMicros: moneyIn(draft.bid) ?? '0',
      targetCpaMicros: draft.pricing === 'cpc' ? moneyIn(draft.targetCpa) : null,
      startsAt: readInstant(draft.startsAt, zone),
      endsAt: readInstant(draft.endsAt, zone),
      ...(draft.placementWishes.trim() && { placementWishes: draft.placementWishes.trim() }),
    },
    targetingRules: draft.rules.filter(isComplete).map(ruleOf),
    frequencyCaps: times ? [{ maxImpressionsPerUser: times, window: draft.capWindow }] : [],
    ads: bannerIds.map((bannerId) => ({
      bannerId,
      ...(titleOf.has(bannerId) && { name: titleOf.get(bannerId) }),
    })),
    placements: placementIds.map((placementId) => ({
      placementId,
      ...(direct.has(placementId) && { bannerIds: [...bannerIds] }),
    })),
  }
}

type MoneyField = 'budgetDaily' | 'budgetTotal' | 'bid' | 'targetCpa'

/** Text that is no amount or count never reaches the server, so it is judged here. */
export function typingFaults(draft: Draft): BookingFault[] {
  const money = (field: MoneyField, path: string) =>
    draft[field] && readMoney(draft[field]) === undefined
      ? [typo(path, `“${draft[field]}” is no amount. Type it like 12.50.`)]
      : []
  return [
    ...money('budgetDaily', 'campaign/budgetDailyMicros'),
    ...money('budgetTotal', 'campaign/budgetTotalMicros'),
    ...money('bid', 'campaign/maxBidMicros'),
    ...(draft.pricing === 'cpc' ? money('targetCpa', 'campaign/targetCpaMicros') : []),
    ...countFaults(draft.impressionGoal, 'campaign/impressionCap'),
    ...countFaults(draft.clickGoal, 'campaign/clickCap'),
    ...countFaults(draft.capTimes, 'frequencyCaps/0'),
    ...draft.rules.flatMap((rule, at) =>
      isComplete(rule) ? [] : [typo(`targetingRules/${at}`, 'Choose at least one value.')],
    ),
  ]
}

const countFaults = (text: string, path: string) =>
  text && countIn(text) === null
    ? [typo(path, `“${text}” is no whole number from 1 to 999,999,999.`)]
    : []

/** A rule without a value is no rule yet. */
function isComplete(rule: RuleDraft): boolean {
  const { value } = ruleOf(rule)
  return !('values' in value) || value.values.length > 0
}

const typo = (path: string, message: string): BookingFault => ({
  path,
  code: 'TYPED',
  message,
  severity: 'refused',
  mend: null,
})

const STEP_OF_PART: Readonly<Record<string, Step>> = {
  targetingRules: 'audience',
  frequencyCaps: 'audience',
  ads: 'creative',
  placements: 'where',
}
const GOAL_FIELDS = new Set(['advertiserId', 'name', 'objective', 'source'])

/** The step that has the field of a fault. */
export function stepOf({ path }: Pick<BookingFault, 'path'>): Step {
  const [part = '', field = ''] = path.split('/')
  return STEP_OF_PART[part] ?? (GOAL_FIELDS.has(field) ? 'goal' : 'budget')
}

/** Faults that must be mended before somebody goes on from a step. */
export const blocking = (faults: readonly BookingFault[], from: Step): readonly BookingFault[] =>
  faults.filter(
    (fault) =>
      (fault.severity === 'refused' || fault.severity === 'stuck') &&
      STEPS.indexOf(stepOf(fault)) <= STEPS.indexOf(from),
  )

/** The change that mends a fault. */
export function mendOf(draft: Draft, { mend }: BookingFault): Partial<Draft> | undefined {
  if (mend === null) return undefined
  const [part, at] = mend.path.split('/')
  const without = (ids: readonly string[]) => ids.filter((_, place) => place !== Number(at))
  if (part === 'placements') return { placementIds: without(draft.placementIds) }
  if (part === 'ads') return { bannerIds: without(draft.bannerIds) }
  return mend.path === 'campaign/maxBidMicros' ? { bid: typedMoney(mend.value) } : undefined
}
