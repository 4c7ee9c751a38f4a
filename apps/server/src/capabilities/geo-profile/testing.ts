import type { ObservationNote } from '@placard/client/observations'
import { freshDatabase } from '../../testing/services/database.ts'
import { actorOf, type TestDeps, depsOn } from '../../testing/world.ts'
import type { Grounds } from './review/operations-decisions.ts'
import type { ProcessDeps } from './ingest/operations-process.ts'
import { processObservations } from './ingest/operations-process.ts'
import { type GeoObserver, SILENT_OBSERVER } from './ingest/observer.ts'
import { addObservations } from './ingest/store-queue.ts'
import { SUSPICION_PROFILES } from './profile/suspicion.ts'
import { until } from '../../testing/until.ts'

/** Countries by the first number of an address, so that tests are readable: 49 is Germany. */
export const COUNTRIES: Readonly<Record<string, string>> = {
  '49': 'DE',
  '33': 'FR',
  '44': 'GB',
  '84': 'VN',
  '55': 'BR',
}

export const testCountries = {
  countryOf: (address: string | undefined) => COUNTRIES[address?.split('.')[0] ?? ''],
}

export const addressIn = (country: string): Uint8Array => {
  const found = Object.entries(COUNTRIES).find(([, code]) => code === country)
  return Uint8Array.of(Number(found?.[0] ?? 10), 0, 0, 1)
}

export interface GeoWorld extends ProcessDeps {
  readonly clock: TestDeps['clock']
  /** An accepted observation, now. */
  see(userId: string, deviceSessionId: string, country: string): Promise<void>
  /** Processes every accepted observation. */
  processAll(): Promise<void>
}

/** The processing of the geo profile on the test's own database. */
export async function geoWorld(
  observer: Partial<GeoObserver> = {},
  consoleUrl?: string,
): Promise<GeoWorld> {
  const { db } = await freshDatabase()
  const { clock, random, ids } = depsOn({ db })
  const deps: ProcessDeps = {
    db,
    clock,
    random,
    ids,
    countries: testCountries,
    rule: SUSPICION_PROFILES.standard,
    observer: { ...SILENT_OBSERVER, ...observer },
    batchMax: 1_000,
    consoleUrl,
  }
  return {
    ...deps,
    clock,
    see: (userId, deviceSessionId, country) =>
      accept(deps, [{ userId, deviceSessionId, ipAddress: addressIn(country) }]),
    async processAll() {
      await until('the queue is empty', async () => (await processObservations(deps)) === 0)
    },
  }
}

async function accept({ db, clock }: ProcessDeps, notes: readonly ObservationNote[]) {
  await addObservations(db, notes, { at: clock.now(), switchName: 'geo-profile.ingest' })
}

/** A user of trust and safety who has reviewed the case. */
export const groundsOf = (userId: string): Grounds => ({
  reasonCode: 'known_traveller',
  comment: null,
  actor: { type: 'user', id: userId },
  caller: actorOf({ id: 1n, kind: 'platform' }),
})
