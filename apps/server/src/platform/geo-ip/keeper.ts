import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { DAY_SECONDS } from '@placard/calendar'
import type { Clock } from '../clock.ts'
import type { Timers } from '../background/timers.ts'
import { type CountryFile, openCountries } from './countries.ts'

export interface GeoIpKeeper {
  readonly countries: CountryFile
  /** False if the operator's own file is too old. The bundled one only shows its age. */
  isFresh(): boolean
  ageSeconds(): number
  /** Downloads the file if an address is set. Refuses a bad or older one. */
  fetchNewer(signal: AbortSignal): Promise<'not-set' | 'taken' | 'not-newer'>
  stop(): void
}

export interface GeoIpOptions {
  /** The operator's own file. */
  readonly file: string | undefined
  /** Folder for a downloaded file, if no file is named. */
  readonly home?: string
  readonly url?: string | undefined
  readonly ageDaysMax?: number
  readonly clock: Clock
  readonly timers: Timers
  onError(error: unknown): void
}

const LOOK_MS = 60_000
const AGE_DAYS_MAX = 45
const BYTES_MAX = 200_000_000

/** Opens the country file and checks every minute whether it was replaced. */
export async function keepGeoIp(options: GeoIpOptions): Promise<GeoIpKeeper> {
  const { clock, timers, url, onError } = options
  const place =
    options.file ?? (url === undefined ? undefined : path.join(options.home ?? '', 'geoip.mmdb'))
  let countries = await openFirst(options, place)
  let cancel: (() => void) | undefined
  const look = () => {
    cancel = timers.after(LOOK_MS, () => void countries.refresh().catch(onError).finally(look))
  }
  look()
  const ageSeconds = () =>
    Math.max(0, (clock.now().getTime() - countries.builtAt.getTime()) / 1_000)

  return {
    get countries() {
      return countries
    },
    ageSeconds,
    isFresh: () =>
      countries.isBundled || ageSeconds() <= (options.ageDaysMax ?? AGE_DAYS_MAX) * DAY_SECONDS,
    async fetchNewer(signal) {
      if (url === undefined || place === undefined) return 'not-set'
      if (!(await replaceFile({ url, place, builtAt: countries.builtAt, signal })))
        return 'not-newer'
      countries = await openCountries(place)
      return 'taken'
    },
    stop: () => cancel?.(),
  }
}

/** Before the first download there is only the bundled file. */
async function openFirst({ file }: GeoIpOptions, place: string | undefined): Promise<CountryFile> {
  if (file !== undefined || place === undefined) return openCountries(file)
  return openCountries(place).catch(() => openCountries())
}

interface Replacement {
  readonly url: string
  readonly place: string
  readonly builtAt: Date
  readonly signal: AbortSignal
}

/** Writes a temporary file, tests it and renames it: readers see the old file or the new one. */
async function replaceFile({ url, place, builtAt, signal }: Replacement): Promise<boolean> {
  const response = await fetch(url, { signal })
  if (!response.ok) throw new Error(`${new URL(url).host} answered ${response.status}`)
  if (Number(response.headers.get('content-length') ?? 0) > BYTES_MAX) {
    throw new Error('The Geo-IP file is too large')
  }
  const bytes = Buffer.from(await response.arrayBuffer())
  const beside = `${place}.new`
  await mkdir(path.dirname(place), { recursive: true })
  try {
    await writeFile(beside, bytes)
    const fetched = await openCountries(beside)
    if (fetched.builtAt <= builtAt) return false
    await rename(beside, place)
    return true
  } finally {
    await rm(beside, { force: true })
  }
}
