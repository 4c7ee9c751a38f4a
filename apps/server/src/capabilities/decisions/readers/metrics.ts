import { Gauge, type Registry } from 'prom-client'
import type { Clock } from '../../../platform/clock.ts'
import type { Countries } from '../../../platform/geo-ip/countries.ts'
import type { ReaderMemory } from './reader-memory.ts'

export interface MeasuredReaders {
  readonly clock: Clock
  readonly geo: Pick<Countries, 'builtAt'>
  readonly known: Pick<ReaderMemory, 'size' | 'forgotten'>
}

/** Metrics of the memory of readers and the age of the Geo-IP file. */
export function measureReaders(
  registry: Registry,
  { clock, geo, known }: MeasuredReaders,
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
    gauge(
      'placard_user_segments_held',
      'Readers whose segments or purchases are in memory',
      known.size,
    ),
    gauge(
      'placard_user_segments_forgotten',
      'Readers put out of memory because there were too many',
      known.forgotten,
    ),
    gauge('placard_geoip_age_seconds', 'Age of the Geo-IP file', () =>
      Math.max(0, (clock.now().getTime() - geo.builtAt.getTime()) / 1_000),
    ),
  ]
}
