import type { ExplainedRecord } from '@placard/contract/explain'
import type { Explanation, ScoredBid } from '@placard/decision-engine'
import {
  idOfCandidate,
  keysOfOutcome,
  keysOfWinner,
  type Names,
  type CandidateKeys,
} from './explain.ts'
import { candidateLabel, describeNamedOutcome, sayIn } from './words.ts'
import type { RecordedWinner } from '../records/record-line.ts'

export interface Recorded {
  readonly winners: readonly RecordedWinner[]
  readonly bids: readonly ScoredBid[]
  readonly floorMicros: number
}

type Difference = ExplainedRecord['differences'][number]

/** What differs when the same request is decided on today's catalogue. */
export function compareWithToday(then: Recorded, today: Explanation, names: Names): Difference[] {
  return [
    ...lostWinners(then, today, names),
    ...newWinners(then, today, names),
    ...changedPrices(then, today, names),
    ...changedScores(then, today, names),
    ...changedFloor(then, today, names),
  ]
}

const idOfWinner = (winner: RecordedWinner) => idOfCandidate(keysOfWinner(winner))

function lostWinners(then: Recorded, today: Explanation, names: Names): Difference[] {
  const winners = new Set(today.decision.winners.map(idOfWinner))
  const outcomes = new Map(
    today.outcomes.map((outcome) => [idOfCandidate(keysOfOutcome(outcome)), outcome]),
  )
  return then.winners
    .filter((winner) => !winners.has(idOfWinner(winner)))
    .map((winner) => {
      const outcome = outcomes.get(idOfWinner(winner))
      const name = candidateLabel(names, keysOfWinner(winner))
      const fateText = outcome
        ? `Today: ${describeNamedOutcome(names, outcome)}`
        : 'Today it is no candidate of this placement any more.'
      return {
        about: 'winner',
        recorded: name,
        today: null,
        text: `${name} was shown. ${fateText}`,
      }
    })
}

function newWinners(then: Recorded, today: Explanation, names: Names): Difference[] {
  const winners = new Set(then.winners.map(idOfWinner))
  const scores = scoresOf(then.bids)
  return today.decision.winners
    .filter((winner) => !winners.has(idOfWinner(winner)))
    .map((winner) => {
      const name = candidateLabel(names, keysOfWinner(winner))
      const score = scores.get(idOfWinner(winner))
      const before =
        score === undefined
          ? 'it was not among the best bids then'
          : `it had a score of ${sayIn(names)(score)} then`
      return {
        about: 'winner',
        recorded: null,
        today: name,
        text: `${name} would be shown today; ${before}.`,
      }
    })
}

function changedPrices(then: Recorded, today: Explanation, names: Names): Difference[] {
  const before = new Map(then.winners.map((winner) => [idOfWinner(winner), winner]))
  return today.decision.winners.flatMap((now) => {
    const old = before.get(idOfWinner(now))
    if (old === undefined) return []
    const name = candidateLabel(names, keysOfWinner(now))
    return [
      ...changed(
        'price',
        { names, name, what: 'price per impression' },
        { recorded: old.finalPriceMicros, today: now.finalPriceMicros },
      ),
      ...changed(
        'charge',
        { names, name, what: now.pricing === 'cpc' ? 'price per click' : 'price per thousand' },
        { recorded: old.chargeMicros, today: now.chargeMicros },
      ),
    ]
  })
}

function changedScores(then: Recorded, today: Explanation, names: Names): Difference[] {
  const before = scoresOf(then.bids)
  return today.outcomes.flatMap((outcome) => {
    const keys = keysOfOutcome(outcome)
    const old = before.get(idOfCandidate(keys))
    if (old === undefined || outcome.score === undefined) return []
    const name = candidateLabel(names, keys)
    // Records round scores to a thousandth of a micro.
    if (Math.abs(old - outcome.score) < 0.001) return []
    return changed('score', { names, name, what: 'score' }, { recorded: old, today: outcome.score })
  })
}

const changedFloor = (then: Recorded, today: Explanation, names: Names): Difference[] =>
  changed(
    'floor',
    { names, name: 'The request', what: 'floor per thousand' },
    { recorded: then.floorMicros, today: today.decision.floorMicros },
  )

function changed(
  about: Difference['about'],
  { names, name, what }: { readonly names: Names; readonly name: string; readonly what: string },
  amounts: { readonly recorded: number; readonly today: number },
): Difference[] {
  if (amounts.recorded === amounts.today) return []
  const say = sayIn(names)
  const recorded = say(amounts.recorded)
  const today = say(amounts.today)
  const text = `${name}: the ${what} was ${recorded} and is ${today} today.`
  return [{ about, recorded, today, text }]
}

const scoresOf = (bids: readonly ScoredBid[]): ReadonlyMap<string, number> =>
  new Map(bids.map(({ adKey, score }): [string, number] => [idOfAd(adKey), score]))

const idOfAd = (key: number) =>
  idOfCandidate({ kind: 'ad', key } satisfies Pick<CandidateKeys, 'kind' | 'key'>)
