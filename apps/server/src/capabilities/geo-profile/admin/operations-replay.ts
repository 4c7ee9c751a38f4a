import { SILENT_OBSERVER } from '../ingest/observer.ts'
import { type ProcessDeps, processObservations } from '../ingest/operations-process.ts'
import { saveDeclaredCountry } from '../review/store-reviews.ts'
import { addObservations } from '../ingest/store-queue.ts'
import { SUSPICION_PROFILES } from '../profile/suspicion.ts'

export interface Sighting {
  readonly at: Date
  readonly deviceSessionId: string
  readonly country: string
}

export interface Past {
  readonly userId: string
  readonly declaredCountry: string
  /** In the order in which they happened. */
  readonly sightings: readonly Sighting[]
}

type ReplayDeps = Pick<ProcessDeps, 'db' | 'random' | 'ids'>

const INGEST = 'geo-profile.ingest'

/** Replays sightings, each at its own time, through the production code. */
export async function replaySightings(deps: ReplayDeps, past: Past): Promise<void> {
  const { userId, declaredCountry: country, sightings } = past
  const [first] = sightings
  if (!first) return
  await saveDeclaredCountry(deps.db, { userId, country, now: first.at })
  for (const { at, deviceSessionId, country } of sightings) {
    const ipAddress = Uint8Array.of(10, country.charCodeAt(0), country.charCodeAt(1), 1)
    const note = { userId, deviceSessionId, ipAddress }
    await addObservations(deps.db, [note], { at, switchName: INGEST })
    await processObservations({
      ...deps,
      clock: { now: () => at },
      countries: { countryOf: lettersOf },
      rule: SUSPICION_PROFILES.standard,
      observer: SILENT_OBSERVER,
      batchMax: 100,
    })
  }
}

/** A made-up address carries its country: `10.70.82.1` is FR. */
function lettersOf(address: string | undefined): string | undefined {
  const [, first, second] = address?.split('.') ?? []
  return first && second ? String.fromCharCode(Number(first), Number(second)) : undefined
}
