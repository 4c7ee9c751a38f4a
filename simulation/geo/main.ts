import { SUSPICION_PROFILES } from '../../apps/server/src/capabilities/geo-profile/profile/suspicion.ts'
import { type Figures, runWorld, sumUp } from './run.ts'
import WORLD from './world.json' with { type: 'json' }

/** The worst figures of three worlds that no rule was tuned on, and the figures of each world. */
export async function simulateGeo(): Promise<object> {
  const rule = SUSPICION_PROFILES.standard
  const bySeed: Record<string, Figures> = {}
  for (const seed of WORLD.heldOutSeeds) {
    console.error(`${WORLD.users} users live for ${WORLD.days} days (seed ${seed})`)
    bySeed[seed] = sumUp(runWorld(seed, { users: WORLD.users, rule }))
  }
  const all = Object.values(bySeed)
  const worst = (figure: keyof Figures, pick: (...values: number[]) => number) =>
    pick(...all.map((figures) => figures[figure]))
  return {
    users: WORLD.users,
    days: WORLD.days,
    reviewPrecision: worst('reviewPrecision', Math.min),
    reviewRecall: worst('reviewRecall', Math.min),
    blockPrecision: worst('blockPrecision', Math.min),
    blockRecall: worst('blockRecall', Math.min),
    travellersBlocked: worst('travellersBlocked', Math.max),
    bySeed,
  }
}
