import { DAY_SECONDS } from '@placard/calendar'
import { domainToASCII } from 'node:url'
import { cronFault } from '../../platform/jobs/schedules/cron.ts'

/** How a site spreads its day. */
export interface PacingConfig {
  /** Shorter than a day simulates one: elapsed time is scaled to 24 hours. */
  readonly dayDurationSeconds: number
  /** Relative traffic of each hour. */
  readonly weekdayVolumes: readonly number[]
  readonly weekendVolumes: readonly number[]
  /** Observe traffic, serve nothing. */
  readonly warmupMode: boolean
  /** A fixed share of requests to hold back, for tests; null lets the controller decide. */
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

const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
const DOMAIN_LENGTH_MAX = 253

/**
 * A host name in its one form: lower case, letters of any script as punycode, no root dot, no `www.`
 * Undefined when it is not a host name: an address with a scheme, a port, a path, a bare number.
 */
export function normaliseDomain(text: string): string | undefined {
  const host = domainToASCII(text.trim().replace(/\.$/, '')).replace(/^www\.(?=.+\.)/, '')
  if (/[\s/:@?#%\\]/.test(text.trim()) || host.length > DOMAIN_LENGTH_MAX) return undefined
  if (host === 'localhost') return host

  const labels = host.split('.')
  const isNamed = labels.length > 1 && /[a-z]/.test(labels.at(-1)!)
  return isNamed && labels.every((label) => LABEL.test(label)) ? host : undefined
}

interface SiteFacts {
  readonly domain: string
  readonly crawlCron?: string | null
  readonly pacing: Partial<PacingConfig>
}

/** Everything that is wrong with a site beyond the shape of its fields. */
export function siteFaults({ domain, crawlCron, pacing }: SiteFacts) {
  const scheduleFault = crawlCron ? cronFault(crawlCron) : undefined
  const faults = [
    normaliseDomain(domain) === undefined &&
      fault('domain', 'must be a host name such as shop.example'),
    scheduleFault !== undefined && fault('crawlCron', scheduleFault),
    isSilent(pacing.weekdayVolumes) && fault('pacing/weekdayVolumes', ONE_HOUR),
    isSilent(pacing.weekendVolumes) && fault('pacing/weekendVolumes', ONE_HOUR),
  ]
  return faults.filter((fault) => fault !== false)
}

const ONE_HOUR = 'must have traffic in at least one hour'
const fault = (field: string, message: string) => ({ path: `body/${field}`, message })
const isSilent = (volumes: readonly number[] | undefined) =>
  volumes !== undefined && volumes.every((volume) => volume === 0)
