import type {
  CapScope,
  FrequencyWindow,
  LiveState,
  SpendVerdict,
  Winner,
} from '../../packages/decision-engine/src/index.ts'

interface Budget {
  leftMicros: number
  readonly isAhead: boolean
  readonly utilisation: number
}

const SCOPES: readonly CapScope[] = ['ad', 'campaign', 'advertiser']

/** Budgets and counters in memory, as in a server: maps by key, one user at a time. */
export class BenchLive implements LiveState {
  readonly budgets = new Map<number, Budget>()
  user = new Map<number, number>()
  readonly isFull = false
  reservations = 0

  judgeSpend(campaignKey: number, costMicros: number): SpendVerdict {
    const budget = this.budgets.get(campaignKey)
    if (budget === undefined || costMicros > budget.leftMicros) return 'exhausted'
    return budget.isAhead ? 'ahead-of-plan' : 'may-spend'
  }

  utilisation(campaignKey: number): number {
    return this.budgets.get(campaignKey)?.utilisation ?? 0
  }

  seen(scope: CapScope, key: number, _window: FrequencyWindow): number {
    return this.user.get(key * 4 + SCOPES.indexOf(scope)) ?? 0
  }

  reserve({ campaignKey, costMicros }: Winner): boolean {
    const budget = this.budgets.get(campaignKey!)
    if (budget === undefined || costMicros > budget.leftMicros) return false
    budget.leftMicros -= costMicros
    this.reservations++
    return true
  }
}
