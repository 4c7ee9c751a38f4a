import { Gauge, type Registry } from 'prom-client'
import type { Database } from '../database/connect.ts'
import { countRefused } from './store.ts'

/** How many rows each reader refuses, asked when somebody reads the metrics. */
export function measureSetAside(registry: Registry, db: Database): void {
  // oxlint-disable-next-line no-new -- the registry keeps it
  new Gauge({
    name: 'placard_rows_set_aside',
    help: 'Rows that a reader refuses, by reader; everything else goes on',
    labelNames: ['reader'],
    registers: [registry],
    async collect() {
      // While PostgreSQL is away the last figures stand.
      const counted = await countRefused(db).catch(() => undefined)
      if (counted === undefined) return
      this.reset()
      for (const { reader, count } of counted) this.set({ reader }, count)
    },
  })
}
