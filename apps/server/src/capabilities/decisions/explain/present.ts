import type { Explained } from '@placard/contract/explain'
import {
  type Explanation,
  type Fate,
  GATE_OF,
  GATE_TEXT,
  type Reason,
  REASON_TEXT,
  type WinningWish,
} from '@placard/decision-engine'
import {
  adName,
  type ExplainQuestion,
  keysOfFate,
  keysOfWinner,
  type Names,
  offerNames,
} from './explain.ts'
import { sayCalculation, sayNamedFate, sayNamedWish, sayOffer } from './words.ts'
import type { RecordedWinner } from '../records/record-line.ts'

export const CANDIDATES_SHOWN = 200

/** An explanation in names instead of keys, as data and in words. */
export function presentExplanation(
  question: ExplainQuestion,
  explanation: Explanation,
  names: Names,
): Explained {
  const { decision, wish } = explanation
  const shown = explanation.fates.slice(0, CANDIDATES_SHOWN)
  const winners = decision.winners.map((winner) => presentWinner(winner, decision, names))
  const omittedCandidates = explanation.omitted + explanation.fates.length - shown.length
  return {
    decidedAt: question.decidedAt.toISOString(),
    placementType: question.placementType,
    context: { ...question.context },
    isUserKnown: question.userKey !== undefined,
    floorMicros: String(decision.floorMicros),
    indexVersion: decision.indexVersion,
    emptyReason: decision.emptyReason ?? null,
    winners,
    gates: Object.entries(GATE_TEXT).map(([gate, text]) => ({ gate, text })),
    counts: countsOf(explanation),
    candidates: shown.map((fate) => presentFate(fate, names)),
    omittedCandidates,
    wish: wish === undefined ? null : presentWish(wish, names),
    text: [
      ...shown.slice(0, SENTENCES_SHOWN).map((fate) => sayNamedFate(names, fate)),
      ...sayOmitted(explanation.fates.length + explanation.omitted - SENTENCES_SHOWN),
      ...decision.winners.flatMap((winner) => [
        `${sayOffer(names, keysOfWinner(winner))} is shown.`,
        ...sayCalculation(winner, decision.floorMicros),
      ]),
      ...(decision.winners.length === 0 ? [sayEmpty(explanation)] : []),
      ...(wish === undefined ? [] : [sayNamedWish(names, wish)]),
    ],
  }
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
  { floorMicros }: { readonly floorMicros: number },
  names: Names,
): Explained['winners'][number] {
  return {
    ...offerNames(names, keysOfWinner(winner)),
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
    calculation: sayCalculation(winner, floorMicros),
  }
}

function presentFate(fate: Fate, names: Names): Explained['candidates'][number] {
  const { reason, score, measure, offer } = fate
  return {
    ...offerNames(names, keysOfFate(fate)),
    reason,
    score: score === undefined ? null : units(score),
    effectiveBidMicros: String(offer.effectiveBidMicros),
    quality: offer.quality,
    measure: measure === undefined ? null : { ...measure },
    text: sayNamedFate(names, fate),
  }
}

function presentWish(wish: WinningWish, names: Names): NonNullable<Explained['wish']> {
  return {
    ad: adName(names, wish.adKey),
    isKnown: wish.isKnown,
    hasWon: wish.hasWon,
    obstacles: wish.obstacles.map((reason) => ({ reason, text: REASON_TEXT[reason] })),
    score: units(wish.score),
    scoreToBeat: wish.scoreToBeat === undefined ? null : units(wish.scoreToBeat),
    effectiveBidMicros: String(wish.effectiveBidMicros),
    effectiveBidMicrosNeeded: String(wish.effectiveBidMicrosNeeded),
    text: sayNamedWish(names, wish),
  }
}

/** Of the currency; scores have fractions of a micro, of which a thousandth is more than enough. */
export const units = (micros: number): number => Number((micros / 1_000_000).toFixed(9))
