import type { CapScope, FrequencyWindow, SpendVerdict } from '../changes/records.ts'
import type { LiveState, Winner } from '../decide/run.ts'

/** Live state as plain data. Keys are `campaign` or `scope-key-window`. */
export interface PlainLiveState {
  readonly budgetLeft?: Readonly<Record<string, number>>
  readonly aheadOfPlan?: readonly number[]
  readonly utilisation?: Readonly<Record<string, number>>
  readonly seen?: Readonly<Record<string, number>>
  /** Winners whose reservation is refused, by `source-key`. */
  readonly refused?: readonly string[]
  /** No money can be reserved. */
  readonly isFull?: boolean
}

/** A campaign without a given budget has no limit. Reservations deduct, as from a lease. */
export class PlainLive implements LiveState {
  protected readonly state: PlainLiveState
  private readonly left: Map<string, number>
  readonly isFull: boolean
  /** Winners to reserve, in order of the calls. */
  readonly tried: string[] = []

  constructor(state: PlainLiveState) {
    this.state = state
    this.left = new Map(Object.entries(state.budgetLeft ?? {}))
    this.isFull = state.isFull ?? false
  }

  judgeSpend(campaignKey: number, costMicros: number): SpendVerdict {
    const left = this.left.get(String(campaignKey)) ?? Infinity
    if (costMicros > left) return 'exhausted'
    return this.state.aheadOfPlan?.includes(campaignKey) === true ? 'ahead-of-plan' : 'may-spend'
  }

  utilisation(campaignKey: number): number {
    return this.state.utilisation?.[campaignKey] ?? 0
  }

  seen(scope: CapScope, key: number, window: FrequencyWindow): number {
    return this.state.seen?.[`${scope}-${key}-${window}`] ?? 0
  }

  reserve({ source, key, campaignKey, costMicros }: Winner): boolean {
    this.tried.push(`${source}-${key}`)
    if (this.isFull && costMicros > 0) return false
    if (this.state.refused?.includes(`${source}-${key}`) === true) return false
    const left = this.left.get(String(campaignKey))
    if (left === undefined) return true
    if (costMicros > left) return false
    this.left.set(String(campaignKey), left - costMicros)
    return true
  }
}
