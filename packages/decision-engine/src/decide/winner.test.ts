import { expect, test } from 'vitest'
import { applyChange } from '../changes/apply-change.ts'
import { createIndex } from '../columns/catalogue.ts'
import { decide } from './decide.ts'
import { seededDraws } from './draws.ts'
import { finishLoad } from '../columns/membership.ts'
import type { CapScope } from '../changes/records.ts'
import { caseChanges, caseRequest } from '../testing/decision-case.ts'
import { PlainLive } from '../testing/plain-live.ts'

const rows = caseChanges(
  {
    placements: [{}],
    campaigns: [{ key: 2, advertiserKey: 3 }],
    banners: [{ format: 'video' }],
    ads: [{ key: 1, campaignKey: 2 }],
  },
  true,
)
const SCOPE_KEYS: [CapScope, number][] = [
  ['ad', 1],
  ['campaign', 2],
  ['advertiser', 3],
]

function aMarket() {
  const index = createIndex()
  for (const row of rows) applyChange(index, row)
  finishLoad(index)
  const ports = { live: new PlainLive({}), draws: seededDraws(1) }
  return { index, winner: () => decide(index, caseRequest({ placementKey: 1 }), ports).winners[0] }
}

test('a winner has the format of its banner', () => {
  expect(aMarket().winner()).toMatchObject({ format: 'video' })
})

test.each(SCOPE_KEYS)('a winner is capped while its %s has a cap', (scope, scopeKey) => {
  const { index, winner } = aMarket()
  expect(winner()).toMatchObject({ isCapped: false })

  const cap = { key: 9, scope, scopeKey, impressionsMax: 3, window: 'Day' } as const
  applyChange(index, { put: 'cap', record: cap })
  expect(winner()).toMatchObject({ isCapped: true })

  applyChange(index, { remove: 'cap', key: 9 })
  expect(winner()).toMatchObject({ isCapped: false })
})

test('a cap of another ad, campaign or advertiser does not cap a winner', () => {
  const { index, winner } = aMarket()

  for (const [at, [scope]] of SCOPE_KEYS.entries()) {
    const cap = { key: at, scope, scopeKey: 99, impressionsMax: 3, window: 'Day' } as const
    applyChange(index, { put: 'cap', record: cap })
  }

  expect(winner()).toMatchObject({ isCapped: false })
})
