import type { Explained } from '@placard/contract/explain'
import {
  type Explanation,
  type CandidateOutcome,
  GATE_OF,
  GATE_TEXT,
  type Reason,
  REASON_TEXT,
  type WinRequirements,
} from '@placard/decision-engine'
import {
  adName,
  type ExplainQuestion,
  keysOfOutcome,
  keysOfWinner,
  type Names,
  candidateNames,
  placementName,
} from './explain.ts'
import {
  type Circumstances,
  describeCalculation,
  describeNamedOutcome,
  describeNamedRequirements,
  candidateLabel,
} from './words.ts'
import type { RecordedWinner } from '../records/record-line.ts'

export const CANDIDATES_SHOWN = 200

/** An explanation with names instead of keys, as data and in words. */
export function presentExplanation(
  question: ExplainQuestion,
  explanation: Explanation,
  names: Names,
): Explained {
  const { decision, requirements } = explanation
  const shown = explanation.outcomes.slice(0, CANDIDATES_SHOWN)
  const { currency } = names
  const it = { floorMicros: decision.floorMicros, context: question.context, currency }
  const winners = decision.winners.map((winner) => presentWinner(winner, it, names))
  const omittedCandidates = explanation.omitted + explanation.outcomes.length - shown.length
  const needed = requirements === undefined ? null : presentRequirements(requirements, names)
  return {
    decidedAt: question.decidedAt.toISOString(),
    placementType: question.placementType,
    placement: placementName(names, decision.placementKey ?? question.placementKey),
    currency: currency ?? null,
    context: { ...question.context },
    isUserKnown: question.userKey !== undefined,
    floorMicros: String(decision.floorMicros),
    indexVersion: decision.indexVersion,
    emptyReason: decision.emptyReason ?? null,
    winners,
    gates: explanation.gates.map((gate) => ({ gate, text: GATE_TEXT[gate] })),
    counts: countsOf(explanation),
    candidates: shown.map((outcome) => presentOutcome(outcome, names)),
    omittedCandidates,
    requirements: needed,
    wish: needed,
    text: [
      ...shown.slice(0, SENTENCES_SHOWN).map((outcome) => describeNamedOutcome(names, outcome)),
      ...sayOmitted(explanation.outcomes.length + explanation.omitted - SENTENCES_SHOWN),
      ...decision.winners.flatMap((winner) => [
        `${candidateLabel(names, keysOfWinner(winner))} is shown${sayPlacement(names, explanation)}.`,
        ...describeCalculation(winner, it),
      ]),
      ...(decision.winners.length === 0 ? [sayEmpty(explanation)] : []),
      ...(requirements === undefined ? [] : [describeNamedRequirements(names, requirements)]),
    ],
  }
}

/** By type the placement is part of the answer. */
function sayPlacement(names: Names, { decision, outcomes }: Explanation): string {
  const isByType = outcomes.some(({ placementKey }) => placementKey !== undefined)
  return isByType ? ` on placement ${placementName(names, decision.placementKey)}` : ''
}

const SENTENCES_SHOWN = 20

const sayOmitted = (count: number) =>
  count > 0 ? [`${count} more candidates are not told here.`] : []

const EMPTY_TEXT = {
  'placement-not-found': 'No ad: the placement does not exist or is not active.',
  'placement-not-on-site': 'No ad: the placement is not on this site.',
  'no-candidate': 'No ad: no candidate passed every gate.',
  'site-paced': 'No ad: the site is ahead of its plan and held this page back.',
} as const

const sayEmpty = ({ decision }: Explanation) => EMPTY_TEXT[decision.emptyReason ?? 'no-candidate']

function countsOf({ counts }: Explanation): Explained['counts'] {
  const entries = Object.entries(counts) as [Reason | 'won', number][]
  return entries
    .map(([reason, count]) => ({ reason, gate: gateOf(reason), count, text: textOf(reason) }))
    .toSorted((a, b) => b.count - a.count)
}

const gateOf = (reason: Reason | 'won') => (reason === 'won' ? null : (GATE_OF.get(reason) ?? null))

const textOf = (reason: Reason | 'won') => (reason === 'won' ? 'was chosen' : REASON_TEXT[reason])

export function presentWinner(
  winner: RecordedWinner,
  it: Circumstances,
  names: Names,
): Explained['winners'][number] {
  return {
    ...candidateNames(names, keysOfWinner(winner)),
    source: winner.source,
    pricing: winner.pricing,
    effectiveBidMicros: String(winner.effectiveBidMicros),
    ctr: winner.ctr,
    quality: winner.quality,
    score: units(winner.score),
    secondScore: winner.secondScore === undefined ? null : units(winner.secondScore),
    finalPrice: units(winner.finalPriceMicros),
    finalPriceMicros: String(winner.finalPriceMicros),
    charge: units(winner.chargeMicros),
    chargeMicros: String(winner.chargeMicros),
    calculation: describeCalculation(winner, it),
  }
}

function presentOutcome(outcome: CandidateOutcome, names: Names): Explained['candidates'][number] {
  const { reason, score, shortfall, candidate } = outcome
  return {
    ...candidateNames(names, keysOfOutcome(outcome)),
    placement: placementName(names, outcome.placementKey),
    reason,
    score: score === undefined ? null : units(score),
    effectiveBidMicros: String(candidate.effectiveBidMicros),
    quality: candidate.quality,
    measure: shortfall === undefined ? null : { ...shortfall },
    text: describeNamedOutcome(names, outcome),
  }
}

function presentRequirements(
  requirements: WinRequirements,
  names: Names,
): NonNullable<Explained['requirements']> {
  return {
    ad: adName(names, requirements.adKey),
    placement: placementName(names, requirements.placementKey),
    isKnown: requirements.isKnown,
    hasWon: requirements.hasWon,
    obstacles: requirements.obstacles.map((reason) => ({ reason, text: REASON_TEXT[reason] })),
    score: units(requirements.score),
    scoreToBeat: requirements.scoreToBeat === undefined ? null : units(requirements.scoreToBeat),
    effectiveBidMicros: String(requirements.effectiveBidMicros),
    effectiveBidMicrosNeeded: String(requirements.effectiveBidMicrosNeeded),
    text: describeNamedRequirements(names, requirements),
  }
}

/**
 * In units of the currency. Scores have fractions of a micro; nine decimals keep a thousandth of
 * one.
 */
export const units = (micros: number): number => Number((micros / 1_000_000).toFixed(9))
