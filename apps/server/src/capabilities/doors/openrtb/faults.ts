import type { BidRequest } from '@placard/contract/openrtb'
import type { Fault } from '../../../platform/problem.ts'

const PLACES = ['site', 'app', 'dooh'] as const

/** What the contract cannot say. Every fault is named. */
export function faultsOf(request: BidRequest): readonly Fault[] {
  const places = PLACES.filter((name) => request[name] !== undefined)
  const faults: Fault[] = []
  if (places.length > 1) {
    faults.push({ path: 'body', message: `must have only one of ${places.join(', ')}` })
  }
  const seen = new Set<string>()
  for (const [at, { id, banner, video, native }] of request.imp.entries()) {
    const path = `body/imp/${at}`
    if (seen.has(id))
      faults.push({ path: `${path}/id`, message: 'is the id of another impression' })
    seen.add(id)
    if ((banner ?? video ?? native) === undefined) {
      faults.push({ path, message: 'must have banner, video or native' })
    }
  }
  return faults
}
