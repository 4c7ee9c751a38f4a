import { assert, integer, nat, property } from 'fast-check'
import { expect, test } from 'vitest'
import { applyChange } from '../changes/apply-change.ts'
import { createIndex, type DecisionIndex } from '../columns/catalogue.ts'
import { finishLoad } from '../columns/membership.ts'
import { decide } from '../decide/decide.ts'
import { seededDraws } from '../decide/draws.ts'
import type { Winner } from '../decide/run.ts'
import { PlainLive } from '../testing/plain-live.ts'
import { RandomWorld } from '../testing/random-world.ts'
import { type Changeable, mended, separateAds } from '../testing/remedies.ts'
import { explain } from './explain.ts'

/** Holds nothing, as an explanation should. */
class DryLive extends PlainLive {
  override reserve({ source, key }: Winner): boolean {
    return this.state.refused?.includes(`${source}-${key}`) !== true
  }
}

function indexOf({ changes }: Changeable): DecisionIndex {
  const index = createIndex()
  for (const change of changes) applyChange(index, change)
  finishLoad(index)
  return index
}

const portsOf = ({ state }: Changeable) => ({ live: new DryLive(state), draws: seededDraws(7) })

/** What every ad that is not shown needs, and whether it is shown once it has that. */
function* promises(seed: number, size: number) {
  const world = new RandomWorld(seed, size)
  const changes = separateAds(world)
  // A shortlist chooses at its own will, and the limits are the caller's.
  const request = { ...world.request(), shortlist: undefined, limits: undefined }
  const before = { changes, state: world.live(), request }
  const index = indexOf(before)
  for (let adKey = 1; adKey <= size; adKey++) {
    const { requirements } = explain(index, request, { ...portsOf(before), adKey })
    if (requirements?.placementKey === undefined || requirements.hasWon) continue
    const after = mended(before, requirements)
    const { winners } = decide(indexOf(after), after.request, portsOf(after))
    const isShown = winners.some(({ source, key }) => source === 'auction' && key === adKey)
    yield { requirements, isShown }
  }
}

const RUNS = 700
const TIMEOUT_MS = 60_000

test(
  'an ad that is not shown is shown once everything is done that its explanation says',
  () => {
    const kept = property(nat(), integer({ min: 1, max: 7 }), (seed, size) => {
      for (const { requirements, isShown } of promises(seed, size)) {
        expect({ requirements, isShown }).toMatchObject({ isShown: true })
      }
    })
    expect(() => assert(kept, { numRuns: RUNS, seed: 20_260_308 })).not.toThrow()
  },
  TIMEOUT_MS,
)
