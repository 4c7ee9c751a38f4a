import { optional, text } from './setting.ts'

const LIMITS = '^[1-9][0-9]{0,9}(,[1-9][0-9]{0,9}){3}$'

const rates = (sender: string, limits: string) =>
  text(
    `Impressions, and as many views, of one ${sender} that are taken for real within 10 s, a minute, an hour and a day; of clicks a fifth. What is more is counted as a burst, and not billed. Nodes count together through Redis; while it is away each counts for itself`,
    { default: limits, pattern: LIMITS },
  )

/** Limits of plausible traffic. A page has up to 20 slots, and one address may be a whole office. */
export const TRAFFIC_SETTINGS = {
  RATE_PER_READER: rates('reader', '60,200,2000,10000'),
  RATE_PER_DEVICE: rates('device session', '60,200,2000,10000'),
  RATE_PER_ADDRESS: rates('address (of IPv6: /64)', '100,300,6000,60000'),
  RATE_PER_SITE: rates('site', '20000,100000,3000000,50000000'),
  DATA_CENTRE_RANGES_PATH: optional(
    text(
      'File with addresses or CIDR ranges, one per line, reloaded when it changes: their events are counted, not billed. Default: the ranges of the largest clouds',
      { minLength: 1 },
    ),
  ),
}
