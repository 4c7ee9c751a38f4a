import { describe, expect, test } from 'vitest'
import { applyChange } from './changes/apply-change.ts'
import { createIndex, type DecisionIndex } from './columns/catalogue.ts'
import { decide } from './decide/decide.ts'
import { decidePage } from './decide/decide-page.ts'
import { explain } from './explain/explain.ts'
import { finishLoad } from './columns/membership.ts'
import {
  caseChanges,
  type CaseExpectation,
  casePage,
  caseRequest,
  type DecisionCase,
} from './testing/decision-case.ts'
import { PlainLive } from './testing/plain-live.ts'
import { describeExplanation } from './explain/words.ts'

declare global {
  interface ImportMeta {
    glob(pattern: string, options: { eager: true; import: 'default' }): Record<string, DecisionCase>
  }
}

const exemplary = import.meta.glob('../cases/exemplary/*.json', { eager: true, import: 'default' })
const supplemental = import.meta.glob('../cases/supplemental/*.json', {
  eager: true,
  import: 'default',
})

/** The draws that the case lists. A case that draws more is wrong. */
function listedDraws(draws: readonly number[]) {
  let at = 0
  return {
    next() {
      const draw = draws[at++]
      if (draw === undefined) throw new Error('the case lists too few draws')
      return draw
    },
  }
}

/** The engine's answer in the form of a case. */
function answerOf(index: DecisionIndex, decisionCase: DecisionCase) {
  const ports = () => ({
    live: new PlainLive(decisionCase.live ?? {}),
    draws: listedDraws(decisionCase.draws ?? []),
  })
  if (decisionCase.page !== undefined) {
    const decisions = decidePage(index, casePage(decisionCase.page), ports())
    return { slots: decisions.map(({ winners }) => winners.map(({ key }) => key)) }
  }
  const request = caseRequest(decisionCase.request)
  const decision = decide(index, request, ports())
  const explained = explain(index, request, { ...ports(), adKey: decisionCase.explainedAd })
  const reasons = explained.outcomes.map(({ kind, candidate, reason }) => [
    `${kind === 'assignment' ? 'booking' : kind} ${candidate.key}`,
    reason,
  ])
  const stopped = Object.fromEntries(reasons) as Record<string, string>
  return {
    ...decision,
    explainedWinners: explained.decision.winners,
    stopped,
    says: describeExplanation(explained),
  }
}

/** JSON has no undefined, so null stands for it; rates and scores are not whole numbers. */
function matcherOf(winner: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const fields = Object.entries(winner).map(([name, value]) => {
    if (value === null) return [name, undefined]
    const isFraction = name === 'ctr' || name === 'score' || name === 'secondScore'
    return [name, isFraction ? (expect.closeTo(Number(value), 9) as unknown) : value]
  })
  return Object.fromEntries(fields) as Record<string, unknown>
}

function expectationOf({ says, winners, ...rest }: CaseExpectation) {
  if (rest.slots !== undefined) return rest
  const chosen = (winners ?? []).map(matcherOf)
  const lines = says === undefined ? [] : [says]
  return {
    ...rest,
    winners: chosen,
    explainedWinners: chosen,
    says: expect.arrayContaining(lines) as unknown,
  }
}

describe.each([
  ['exemplary', exemplary],
  ['supplemental', supplemental],
])('%s cases', (_, cases) => {
  test.each(Object.entries(cases).map(([path, { rule }]) => [rule, path]))('%s', (_rule, path) => {
    const decisionCase = cases[path]!
    const { catalogue, then } = decisionCase
    const index = createIndex()
    for (const change of caseChanges(catalogue, true)) applyChange(index, change)
    finishLoad(index)

    const first = answerOf(index, decisionCase)
    for (const change of caseChanges(then?.changes ?? {}, false)) applyChange(index, change)
    const second = answerOf(index, decisionCase)

    expect(first).toMatchObject(expectationOf(decisionCase.expect))
    expect(second).toMatchObject(expectationOf(then?.expect ?? decisionCase.expect))
  })
})

test('there are at least 30 exemplary and 15 supplemental cases', () => {
  expect(Object.keys(exemplary).length).toBeGreaterThanOrEqual(30)
  expect(Object.keys(supplemental).length).toBeGreaterThanOrEqual(15)
})
