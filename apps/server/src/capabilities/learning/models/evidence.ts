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

/** One currency of evidence: what is looked at, what may come of it, and how long that takes. */
export interface Lessons {
  readonly evidence: Evidence
  readonly table: ShowingTable
  /** It teaches when so much time has passed; the few outcomes that come later teach nothing. */
  readonly waitMs: number
  /** The rate before anything is known. */
  readonly prior: number
  /** The prior of a context is the table of click rates. */
  readonly hasTable: boolean
  /** Ids of the outcomes that came; `outcomeIdOf` gives the id that one would have. */
  listOutcomes(db: Database, shown: readonly BareShowing[]): Promise<ReadonlySet<string>>
  outcomeIdOf(shown: BareShowing): string
}

/** A showing is clicked, or not. */
export const CLICKS: Lessons = {
  evidence: 'click',
  table: 'impressions',
  waitMs: 5 * MINUTE_MS,
  prior: 0.02,
  hasTable: true,
  listOutcomes: listClicked,
  outcomeIdOf: clickIdOf,
}

/** A click leads to a conversion that is credited to it, or not. */
export const CONVERSIONS: Lessons = {
  evidence: 'conversion',
  table: 'clicks',
  waitMs: DAY_MS,
  prior: 0.03,
  hasTable: false,
  listOutcomes: listConverted,
  outcomeIdOf: ({ eventId }) => eventId,
}

/** So many showings without an outcome teach at one step; of more, a share does, each for several. */
export const NEGATIVES_PER_STEP = 5_000
const SHARE_MIN = 0.1

/** Which share of the showings without an outcome teaches. */
export const negativeShareOf = (shown: number, negativesMax: number): number =>
  Math.max(SHARE_MIN, Math.min(1, negativesMax / Math.max(1, shown)))

/** Ids are made by hashing: their last digits are as good as a draw, and the same on every run. */
export const drawOf = ({ eventId }: BareShowing): number =>
  Number.parseInt(eventId.slice(-4), 16) / 0x1_00_00
