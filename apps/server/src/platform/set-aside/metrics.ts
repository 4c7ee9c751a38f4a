import { Gauge, type Registry } from 'prom-client'
import type { Database } from '../database/connect.ts'
import { countRefused } from './store.ts'

/** Refused rows per reader, counted when the metrics are read. */
export function measureSetAside(registry: Registry, db: Database): void {
  // oxlint-disable-next-line no-new -- the registry keeps it
  new Gauge({
    name: 'placard_rows_set_aside',
    help: 'Rows set aside, by reader; everything else continues',
    labelNames: ['reader'],
    registers: [registry],
    async collect() {
      // While PostgreSQL is unavailable the last figures remain.
      const counted = await countRefused(db).catch(() => undefined)
      if (counted === undefined) return
      this.reset()
      for (const { reader, count } of counted) this.set({ reader }, count)
    },
  })
}
