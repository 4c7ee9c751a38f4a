export type Window = 'Hour' | 'Day' | 'Week' | 'Month' | 'Lifetime'

/** The target of a cap: one key, the others null. */
export interface CapTargets {
  readonly adId?: bigint | null
  readonly campaignId?: bigint | null
  readonly advertiserId?: bigint | null
}

export type TargetVerdict = 'one' | 'none' | 'several'

export function judgeTargets({ adId, campaignId, advertiserId }: CapTargets): TargetVerdict {
  const named = [adId, campaignId, advertiserId].filter((key) => key !== null && key !== undefined)
  if (named.length === 1) return 'one'
  return named.length === 0 ? 'none' : 'several'
}
