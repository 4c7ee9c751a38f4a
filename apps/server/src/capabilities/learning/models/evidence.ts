import { DAY_MS, MINUTE_MS } from '@placard/calendar'
import type { Database } from '../../../platform/database/connect.ts'
import {
  type BareShowing,
  clickIdOf,
  listClicked,
  listConverted,
  type ShowingTable,
} from './reads-lessons.ts'
import type { Evidence } from './store-models.ts'

/** A kind of evidence: what is observed, which outcome is awaited, and for how long. */
export interface Lessons {
  readonly evidence: Evidence
  readonly table: ShowingTable
  /** Examples are used after this time. The few later outcomes are ignored. */
  readonly waitMs: number
  /** The rate before anything is known. */
  readonly prior: number
  /** Whether the table of click rates gives the prior of a context. */
  readonly hasTable: boolean
  /**
   * Whether the model reads hour and weekday. Purchases are too few: a weight that one day a week
   * teaches would be wrong for weeks.
   */
  readonly readsTime: boolean
  /** Ids of the outcomes that happened. `outcomeIdOf` gives the id that an outcome would have. */
  listOutcomes(db: Database, shown: readonly BareShowing[]): Promise<ReadonlySet<string>>
  outcomeIdOf(shown: BareShowing): string
}

/** An impression is clicked or not. */
export const CLICKS: Lessons = {
  evidence: 'click',
  table: 'impressions',
  waitMs: 5 * MINUTE_MS,
  prior: 0.02,
  hasTable: true,
  readsTime: true,
  listOutcomes: listClicked,
  outcomeIdOf: clickIdOf,
}

/** A click leads to a purchase credited to it, or not. */
export const CONVERSIONS: Lessons = {
  evidence: 'conversion',
  table: 'clicks',
  waitMs: DAY_MS,
  prior: 0.03,
  hasTable: false,
  readsTime: false,
  listOutcomes: listConverted,
  outcomeIdOf: ({ eventId }) => eventId,
}

/**
 * Impressions without an outcome per step. If there are more, a share is used, each weighted up.
 */
export const NEGATIVES_PER_STEP = 5_000
const SHARE_MIN = 0.1

/** The share of impressions without an outcome that is used. */
export const negativeShareOf = (shown: number, negativesMax: number): number =>
  Math.max(SHARE_MIN, Math.min(1, negativesMax / Math.max(1, shown)))

/** Ids are hashes: their last digits serve as a draw that is the same on every run. */
export const drawOf = ({ eventId }: BareShowing): number =>
  Number.parseInt(eventId.slice(-4), 16) / 0x1_00_00
