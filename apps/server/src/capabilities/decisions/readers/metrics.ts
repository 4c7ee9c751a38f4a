import { Gauge, type Registry } from 'prom-client'
import type { Clock } from '../../../platform/clock.ts'
import type { Countries } from '../../../platform/geo-ip/countries.ts'
import type { SegmentMemory } from './segments.ts'

export interface MeasuredReaders {
  readonly clock: Clock
  readonly geo: Pick<Countries, 'builtAt'>
  readonly segments: Pick<SegmentMemory, 'size' | 'forgotten'>
}

/** Metrics of the segment memory and the age of the Geo-IP file. */
export function measureReaders(
  registry: Registry,
  { clock, geo, segments }: MeasuredReaders,
): readonly Gauge[] {
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(read())
      },
    })
  return [
    gauge('placard_user_segments_held', 'Users whose segments are in memory', segments.size),
    gauge(
      'placard_user_segments_forgotten',
      'Users put out of memory because there were too many',
      segments.forgotten,
    ),
    gauge('placard_geoip_age_seconds', 'Age of the Geo-IP file', () =>
      Math.max(0, (clock.now().getTime() - geo.builtAt.getTime()) / 1_000),
    ),
  ]
}
