import { expect, test } from 'vitest'
import { systemRandom } from '../../../platform/random.ts'
import { fixedClock } from '../../../testing/fixed.ts'
import { createCounters } from '../../frequency/index.ts'
import type { TrackedEvent } from '../../tracking/index.ts'
import { endHolds, keepHolds } from './end-holds.ts'
import { plainBudgets } from './testing-ports.ts'

const CAP = { scope: 'ad', key: 7, window: 'Day', impressionsMax: 9 } as const
const HOLD_MS = 60_000

function aUser() {
  const clock = fixedClock('2026-06-15T12:00:00Z')
  const counters = createCounters({ clock, random: systemRandom })
  const userKey = 'ada'
  const startMs = Date.parse('2026-06-15T00:00:00Z')
  const { scope, key, window } = CAP
  return {
    clock,
    hold: () => counters.read(userKey).hold([CAP], HOLD_MS)!.id,
    seen: () => counters.read(userKey).seen(scope, key, window),
    keep: (holdId: string) => keepHolds({ counters }, [anImpression(holdId)]),
    awaitHolds: (holdId: string, impressions: number) => {
      const event = anImpression(holdId)
      return endHolds(
        { budgets: plainBudgets(), counters },
        {
          fresh: [{ event, billing: 'free', chargedMillis: 0n }],
          seen: [{ scope, key, window, userKey, startMs, impressions }],
        },
      )
    },
  }
}

const anImpression = (holdId: string) =>
  ({ kind: 'impression', pricing: 'cpc', label: 'valid', holdId }) as TrackedEvent

test('a showing counts once, whether held or settled', async () => {
  const { hold, seen, awaitHolds } = aUser()
  const holdId = hold()
  expect(seen()).toBe(1)

  await awaitHolds(holdId, 1)

  expect(seen()).toBe(1)
})

test('an impression counts although its hold has ended or its process is gone', async () => {
  const { clock, hold, seen, awaitHolds } = aUser()
  const holdId = hold()
  clock.advance(HOLD_MS / 1_000)
  expect(seen()).toBe(0)

  await awaitHolds(holdId, 1)
  await awaitHolds('of.another', 2)

  expect(seen()).toBe(2)
})

test('an impression that waits to be settled keeps its place, and counts once when it settles', async () => {
  const { clock, hold, seen, keep, awaitHolds } = aUser()
  const holdId = hold()
  clock.advance(HOLD_MS / 1_000 - 1)
  await keep(holdId)

  clock.advance(HOLD_MS / 1_000)
  expect(seen()).toBe(1)
  await awaitHolds(holdId, 1)

  expect(seen()).toBe(1)
})
