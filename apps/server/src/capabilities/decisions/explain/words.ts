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
  return describeOutcome(outcome).replace(ENGINE_NAME, () => subject)
}

export const describeNamedRequirements = (names: Names, requirements: WinRequirements): string =>
  describeRequirements(requirements).replace(
    ENGINE_NAME,
    () => `Ad "${adName(names, requirements.adKey).name}"`,
  )

/** What a winner's amounts are calculated from, beside the winner itself. */
export interface Circumstances {
  readonly floorMicros: number
  readonly context: Context
}

/** Every amount of a winner, with the numbers it is calculated from. */
export function describeCalculation(winner: RecordedWinner, it: Circumstances): string[] {
  if (winner.source === 'evergreen') return ['A house banner costs nothing.']
  if (winner.source !== 'auction') {
    return [`A booking pays its booked rate: ${money(winner.chargeMicros)} ${unitOf(winner)}.`]
  }
  const { floorMicros, context } = it
  return [
    scoreLine(winner),
    ...(winner.pricing === 'cpc' ? describeCtrBoosts(context) : []),
    priceLine(winner, floorMicros),
    chargeLine(winner, floorMicros),
  ]
}

function scoreLine({ pricing, effectiveBidMicros, ctr, quality, score }: RecordedWinner): string {
  const isCpc = pricing === 'cpc'
  const bid = `bid ${money(effectiveBidMicros)}`
  const rate = isCpc ? ` × click rate ${plain(ctr)}` : ' ÷ 1000'
  const lift = score / (effectiveBidMicros * quality * (isCpc ? ctr : 1 / 1_000))
  const lifted = lift > LIFT_SEEN ? ` × lift ${lift.toFixed(2)}` : ''
  return `Score: ${bid}${rate} × quality ${plain(quality)}${lifted} = ${money(score)} per impression.`
}

/** A smaller factor is rounding, not a lift. */
const LIFT_SEEN = 1.001

function priceLine(
  { score, secondScore, finalPriceMicros }: RecordedWinner,
  floorMicros: number,
): string {
  const price = `Final price: ${money(finalPriceMicros)} per impression`
  if (secondScore === undefined) {
    return `${price}: nobody else bid, so it is the score at the floor of ${money(floorMicros)} per thousand.`
  }
  return `${price}: the second score ${money(secondScore)} + 0.01, at most its own score ${money(score)}.`
}

function chargeLine(winner: RecordedWinner, floorMicros: number): string {
  const { effectiveBidMicros, score, secondScore, chargeMicros } = winner
  const charge = `Charge: ${money(chargeMicros)} ${unitOf(winner)}`
  const floor = floorTerm(winner, floorMicros)
  if (secondScore === undefined) return `${charge}: the floor, ${floor}, at most the bid.`
  const share = `bid ${money(effectiveBidMicros)} × second score ${money(secondScore)} ÷ score ${money(score)} + 0.01`
  return `${charge}: ${share}, at least the floor, ${floor}, at most the bid.`
}

function floorTerm({ pricing, ctr }: RecordedWinner, floorMicros: number): string {
  if (pricing === 'cpm') return money(floorMicros)
  const perClick = Math.ceil(floorMicros / (1000 * ctr))
  return `${money(floorMicros)} ÷ (1000 × click rate ${plain(ctr)}) = ${money(perClick)}`
}

const unitOf = ({ pricing }: Pick<RecordedWinner, 'pricing'>) =>
  pricing === 'cpc' ? 'per click' : 'per thousand impressions'

/** Nine decimals: scores are fractions of a micro. */
export const money = (micros: number) => plain(micros / 1_000_000)

const plain = (value: number) => String(Number(value.toFixed(9)))
