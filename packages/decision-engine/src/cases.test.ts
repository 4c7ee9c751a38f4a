import { describe, expect, test } from 'vitest'
import { applyChange } from './apply-change.ts'
import { createIndex, type DecisionIndex } from './catalogue.ts'
import { decide } from './decide.ts'
import { decidePage } from './decide-page.ts'
import { explain } from './explain.ts'
import { finishLoad } from './membership.ts'
import {
  caseChanges,
  type CaseExpectation,
  casePage,
  caseRequest,
  type DecisionCase,
} from './testing/decision-case.ts'
import { PlainLive } from './testing/plain-live.ts'
import { sayExplanation } from './words.ts'

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

/** Draws as the case lists them; a case that draws more than it lists is wrong. */
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

function check(index: DecisionIndex, decisionCase: DecisionCase, expected: CaseExpectation): void {
  const ports = () => ({
    live: new PlainLive(decisionCase.live ?? {}),
    draws: listedDraws(decisionCase.draws ?? []),
  })
  if (decisionCase.page !== undefined) {
    const decisions = decidePage(index, casePage(decisionCase.page), ports())
    expect(decisions.map(({ winners }) => winners.map(({ key }) => key))).toEqual(expected.slots)
    return
  }
  const request = caseRequest(decisionCase.request)
  const decision = decide(index, request, ports())
  const { winners = [], emptyReason, needsPlaceholder } = expected
  expect(decision.winners).toEqual(winners.map((winner) => expect.objectContaining(winner)))
  if (emptyReason !== undefined) expect(decision.emptyReason).toBe(emptyReason)
  if (needsPlaceholder !== undefined) expect(decision.needsPlaceholder).toBe(needsPlaceholder)

  const explained = explain(index, request, ports())
  expect(explained.decision.winners).toEqual(decision.winners)
  const reasons = explained.fates.map(({ kind, offer, reason }) => [
    `${kind === 'assignment' ? 'booking' : kind} ${offer.key}`,
    reason,
  ])
  expect(Object.fromEntries(reasons)).toMatchObject(expected.stopped ?? {})
  if (expected.says !== undefined) expect(sayExplanation(explained)).toContain(expected.says)
}

describe.each([
  ['exemplary', exemplary],
  ['supplemental', supplemental],
])('%s cases', (_, cases) => {
  test.each(Object.entries(cases).map(([path, { rule }]) => [rule, path]))('%s', (_rule, path) => {
    const decisionCase = cases[path]!
    const index = createIndex()
    for (const change of caseChanges(decisionCase.catalogue, true)) applyChange(index, change)
    finishLoad(index)

    check(index, decisionCase, decisionCase.expect)
    if (decisionCase.then === undefined) return
    for (const change of caseChanges(decisionCase.then.changes, false)) applyChange(index, change)
    check(index, decisionCase, decisionCase.then.expect)
  })
})

test('there are cases to learn from', () => {
  expect(Object.keys(exemplary).length).toBeGreaterThanOrEqual(30)
  expect(Object.keys(supplemental).length).toBeGreaterThanOrEqual(15)
})
