import type { PlacementDetail } from './catalogue.ts'
import type { Placement } from '../changes/records.ts'

/** Who sells, and which type is asked for: a request without a placement names no more. */
export interface TypeOfPublisher {
  readonly publisherKey?: number | undefined
  readonly type: string
}

/** The active placements by publisher and type, the first made first. */
export class PlacementsByType {
  private readonly placements = new Map<string, PlacementDetail[]>()

  find(asked: TypeOfPublisher): readonly PlacementDetail[] {
    return this.placements.get(nameOf(asked)) ?? NOBODY
  }

  /** After its record was written. */
  add(placement: PlacementDetail): void {
    const record = placement.record!
    if (!record.active) return
    const name = nameOf(record)
    const others = this.placements.get(name) ?? []
    const later = others.findIndex((other) => other.record!.key > record.key)
    others.splice(later === -1 ? others.length : later, 0, placement)
    this.placements.set(name, others)
  }

  /** Before its record is written. */
  remove(placement: PlacementDetail, record: Placement): void {
    const name = nameOf(record)
    const left = this.placements.get(name)?.filter((other) => other !== placement) ?? []
    if (left.length > 0) this.placements.set(name, left)
    else this.placements.delete(name)
  }
}

const NOBODY: readonly PlacementDetail[] = []

const nameOf = ({ publisherKey, type }: TypeOfPublisher) => `${publisherKey ?? ''} ${type}`
