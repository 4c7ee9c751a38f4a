import { Counter, type Registry } from 'prom-client'
import type { Door } from '../../decisions/index.ts'

/** What came of a request: an ad, none, or nothing because the door is off, full or was asked wrongly. */
export type DoorResult = 'answered' | 'empty' | 'off' | 'limited' | 'refused'

export interface DoorMetrics {
  count(door: Door, result: DoorResult): void
  /** Why a place stayed empty, in a word. */
  countEmpty(door: Door, reason: string): void
}

export function createDoorMetrics(registry: Registry): DoorMetrics {
  const requests = new Counter({
    name: 'placard_door_requests_total',
    help: 'Requests by door, and what came of them',
    labelNames: ['door', 'result'],
    registers: [registry],
  })
  const empty = new Counter({
    name: 'placard_door_empty_total',
    help: 'Places that a door left empty, and why',
    labelNames: ['door', 'reason'],
    registers: [registry],
  })
  return {
    count: (door, result) => requests.inc({ door, result }),
    countEmpty: (door, reason) => empty.inc({ door, reason }),
  }
}
