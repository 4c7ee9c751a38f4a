import {
  type CandidateOutcome,
  type Context,
  describeCtrBoosts,
  describeOutcome,
  describeRequirements,
  type WinRequirements,
} from '@placard/decision-engine'
import {
  adName,
  keysOfOutcome,
  type Names,
  type CandidateKeys,
  candidateNames,
  placementName,
} from './explain.ts'
import type { RecordedWinner } from '../records/record-line.ts'

/** A candidate by its names. Keys stay internal. */
export function candidateLabel(names: Names, keys: CandidateKeys): string {
  const { ad, campaign, banner } = candidateNames(names, keys)
  if (ad !== null) return `Ad "${ad.name}" of campaign "${campaign?.name}"`
  if (campaign !== null) return `Booking of banner "${banner.name}" by campaign "${campaign.name}"`
  return `House banner "${banner.name}"`
}

const ENGINE_NAME = /^(?:Ad|Booking|House banner) \d+/

/** The engine's sentence, with names in place of keys; by type with the placement it is about. */
export function describeNamedOutcome(names: Names, outcome: CandidateOutcome): string {
  const placement = placementName(names, outcome.placementKey)
  const label = candidateLabel(names, keysOfOutcome(outcome))
  const subject = placement === null ? label : `${label}, for placement ${placement},`
  return describeOutcome(outcome, sayIn(names)).replace(ENGINE_NAME, () => subject)
}

export const describeNamedRequirements = (names: Names, requirements: WinRequirements): string =>
  describeRequirements(requirements, sayIn(names)).replace(
    ENGINE_NAME,
    () => `Ad "${adName(names, requirements.adKey).name}"`,
  )

/** What a winner's amounts are calculated from, beside the winner itself. */
export interface Circumstances {
  readonly floorMicros: number
  readonly context: Context
  /** Undefined where nobody sells. */
  readonly currency: string | undefined
}

/** Every amount of a winner, with the numbers it is calculated from. */
export function describeCalculation(winner: RecordedWinner, it: Circumstances): string[] {
  const say = sayIn(it)
  if (winner.source === 'evergreen') return ['A house banner costs nothing.']
  if (winner.source !== 'auction') {
    return [`A booking pays its booked rate: ${say(winner.chargeMicros)} ${unitOf(winner)}.`]
  }
  return [
    scoreLine(winner, say),
    ...(winner.pricing === 'cpc' ? describeCtrBoosts(it.context) : []),
    ...targetLines(winner),
    impressionLine(winner, it),
    priceLine(winner, it),
  ]
}

/** Only campaigns with a target cost per purchase have a predicted rate. */
const targetLines = ({ conversionRate }: RecordedWinner): string[] =>
  conversionRate === undefined
    ? []
    : [
        `Predicted purchases per click: ${plain(conversionRate)}. A bid by target cost is the target × multiplier × this.`,
      ]

function scoreLine(winner: RecordedWinner, say: SayMoney): string {
  const { pricing, effectiveBidMicros, ctr, quality, score } = winner
  const isCpc = pricing === 'cpc'
  const bid = `bid ${say(effectiveBidMicros)}`
  const rate = isCpc ? ` × click rate ${plain(ctr)}` : ' ÷ 1000'
  const lift = score / (effectiveBidMicros * quality * (isCpc ? ctr : 1 / 1_000))
  const lifted = lift > LIFT_SEEN ? ` × lift ${lift.toFixed(2)}` : ''
  return `Score: ${bid}${rate} × quality ${plain(quality)}${lifted} = ${say(score)} per impression.`
}

/** A smaller factor is rounding, not a lift. */
const LIFT_SEEN = 1.001

function impressionLine(
  { score, secondScore, finalPriceMicros }: RecordedWinner,
  it: Circumstances,
): string {
  const say = sayIn(it)
  const price = `Price per impression: ${say(finalPriceMicros)}`
  if (secondScore === undefined) {
    return `${price}: nobody else bid, so it is the score at the floor of ${say(it.floorMicros)} per thousand.`
  }
  return `${price}: the second score ${say(secondScore)} + 0.01, at most its own score ${say(score)}.`
}

function priceLine(winner: RecordedWinner, it: Circumstances): string {
  const { effectiveBidMicros, score, secondScore, chargeMicros } = winner
  const say = sayIn(it)
  const price = `Price ${unitOf(winner)}: ${say(chargeMicros)}`
  const floor = floorTerm(winner, it.floorMicros, say)
  if (secondScore === undefined) return `${price}: the floor, ${floor}, at most the bid.`
  const share = `bid ${say(effectiveBidMicros)} × second score ${say(secondScore)} ÷ score ${say(score)} + 0.01`
  return `${price}: ${share}, at least the floor, ${floor}, at most the bid.`
}

function floorTerm({ pricing, ctr }: RecordedWinner, floorMicros: number, say: SayMoney): string {
  if (pricing === 'cpm') return say(floorMicros)
  const perClick = Math.ceil(floorMicros / (1000 * ctr))
  return `${say(floorMicros)} ÷ (1000 × click rate ${plain(ctr)}) = ${say(perClick)}`
}

const unitOf = ({ pricing }: Pick<RecordedWinner, 'pricing'>) =>
  pricing === 'cpc' ? 'per click' : 'per thousand impressions'

type SayMoney = (micros: number) => string

/** Amounts with their currency. */
export const sayIn =
  ({ currency }: { readonly currency: string | undefined }): SayMoney =>
  (micros) =>
    currency === undefined ? money(micros) : `${money(micros)} ${currency}`

/** Nine decimals: scores are fractions of a micro. */
const money = (micros: number) => plain(micros / 1_000_000)

const plain = (value: number) => String(Number(value.toFixed(9)))
