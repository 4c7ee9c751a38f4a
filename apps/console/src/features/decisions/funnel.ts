import type { Explained } from '@placard/contract/explain'

type ReasonCount = Explained['counts'][number]

/** Candidates before and after a check. */
export interface Stage {
  readonly name: string
  readonly came: number
  readonly left: number
  readonly stopped: readonly ReasonCount[]
}

/** The explanation's checks as a funnel. The server lists the checks and what each removed. */
export function funnelOf({ gates, counts }: Pick<Explained, 'gates' | 'counts'>): Stage[] {
  let left = counts.reduce((sum, { count }) => sum + count, 0)
  return gates.map(({ gate, text }) => {
    const stopped = counts.filter((count) => count.gate === gate)
    const came = left
    left -= stopped.reduce((sum, { count }) => sum + count, 0)
    return { name: text, came, left, stopped }
  })
}
