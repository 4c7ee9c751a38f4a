import type { Switches } from '../../../platform/switches/view.ts'
import type { DecisionKind, DecisionMetrics } from '../metrics.ts'
import type { ReaderFields, ReaderRequest, Readers } from '../readers/reader.ts'

interface ClosedDeps {
  readonly readers: Pick<Readers, 'maySelect'>
  readonly switches: Switches
  readonly metrics: DecisionMetrics
}

interface Asking {
  readonly kind: DecisionKind
  readonly request: ReaderRequest
  readonly consent?: ReaderFields['consent']
}

/** Nothing is chosen: serving is switched off, or the reader refuses that ads are selected. */
export function isClosed(deps: ClosedDeps, { kind, request, consent }: Asking): boolean {
  const { switches, metrics, readers } = deps
  const reason = !switches.isOn('decisions.serving')
    ? 'switched-off'
    : readers.maySelect?.(request, { consent }) === false
      ? 'no-consent'
      : undefined
  if (reason !== undefined) metrics.count(kind, reason)
  return reason !== undefined
}
