import { DAY_SECONDS } from '@placard/calendar'
import { cronFault } from '../../platform/jobs/schedules/cron.ts'
import { normaliseDomain } from './domain-name.ts'
import { lineFault } from './sellers/ads-txt.ts'

/** How a site distributes its day. */
export interface PacingConfig {
  /** Shorter than a day simulates a day: elapsed time is scaled to 24 hours. */
  readonly dayDurationSeconds: number
  /** Relative traffic of each hour. */
  readonly weekdayVolumes: readonly number[]
  readonly weekendVolumes: readonly number[]
  /** Observes traffic and serves nothing. */
  readonly warmupMode: boolean
  /** A fixed share of requests to hold back, for tests. Null lets the controller decide. */
  readonly testThrottleOverride: number | null
}

const EVEN_DAY = Array.from({ length: 24 }, () => 1)

const PACING_DEFAULTS: PacingConfig = {
  dayDurationSeconds: DAY_SECONDS,
  weekdayVolumes: EVEN_DAY,
  weekendVolumes: EVEN_DAY,
  warmupMode: false,
  testThrottleOverride: null,
}

export const completePacing = (given: Partial<PacingConfig> = {}): PacingConfig => ({
  ...PACING_DEFAULTS,
  ...given,
})

interface SiteFacts {
  readonly domain: string
  readonly crawlCron?: string | null
  readonly pacing: Partial<PacingConfig>
  readonly adsTxtLines?: readonly string[]
}

/** Every fault of a site beyond the shape of its fields. */
export function siteFaults({ domain, crawlCron, pacing, adsTxtLines = [] }: SiteFacts) {
  const scheduleFault = crawlCron ? cronFault(crawlCron) : undefined
  const faults = [
    normaliseDomain(domain) === undefined &&
      fault('domain', 'must be a host name such as shop.example'),
    scheduleFault !== undefined && fault('crawlCron', scheduleFault),
    isSilent(pacing.weekdayVolumes) && fault('pacing/weekdayVolumes', ONE_HOUR),
    isSilent(pacing.weekendVolumes) && fault('pacing/weekendVolumes', ONE_HOUR),
    ...adsTxtLines.map((line, index) => {
      const found = lineFault(line)
      return found !== undefined && fault(`adsTxtLines/${index}`, found)
    }),
  ]
  return faults.filter((fault) => fault !== false)
}

const ONE_HOUR = 'must have traffic in at least one hour'
const fault = (field: string, message: string) => ({ path: `body/${field}`, message })
const isSilent = (volumes: readonly number[] | undefined) =>
  volumes !== undefined && volumes.every((volume) => volume === 0)
