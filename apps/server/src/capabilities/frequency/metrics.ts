import { Counter, type Registry } from 'prom-client'
import type { MemoryCounters } from './memory/memory-counters.ts'

/** Readers whose caps start anew because the memory of one node is full. Then Redis is the answer. */
export function measureEvicted(
  registry: Registry,
  counters: Pick<MemoryCounters, 'snapshot'>,
): void {
  const evicted: Counter = new Counter({
    name: 'placard_frequency_evicted_total',
    help: 'Readers whose caps start anew because the memory of this node was full; Redis keeps all',
    registers: [registry],
    collect() {
      evicted.reset()
      evicted.inc(counters.snapshot().usersEvicted)
    },
  })
}
