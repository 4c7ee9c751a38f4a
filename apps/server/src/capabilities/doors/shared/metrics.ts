import { Counter, type Registry } from 'prom-client'
import type { Door } from '../../decisions/index.ts'

/**
 * Result of a request: an ad, no ad, or nothing because the door is off, at its limit or got a bad
 * request.
 */
export type DoorResult = 'answered' | 'empty' | 'off' | 'limited' | 'refused'

export interface DoorMetrics {
  count(door: Door, result: DoorResult): void
  /** Counts an empty slot by its reason. */
  countEmpty(door: Door, reason: string): void
  /** Adds money that bids hold, in the publishers' currencies. */
  addReserved(door: Door, micros: number): void
}

export function createDoorMetrics(registry: Registry): DoorMetrics {
  const requests = new Counter({
    name: 'placard_door_requests_total',
    help: 'Requests by door and result',
    labelNames: ['door', 'result'],
    registers: [registry],
  })
  const empty = new Counter({
    name: 'placard_door_empty_total',
    help: 'Slots that a door left empty, by reason',
    labelNames: ['door', 'reason'],
    registers: [registry],
  })
  const reserved = new Counter({
    name: 'placard_door_reserved_micros_total',
    help: 'Micros held for the showings that left by a door, all currencies',
    labelNames: ['door'],
    registers: [registry],
  })
  return {
    addReserved: (door, micros) => reserved.inc({ door }, micros),
    count: (door, result) => requests.inc({ door, result }),
    countEmpty: (door, reason) => empty.inc({ door, reason }),
  }
}
