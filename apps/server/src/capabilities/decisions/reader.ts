import type { Context } from '@placard/decision-engine'

/** Who reads the page, as far as the server may know. Made on the server, never believed from a browser. */
export interface Reader {
  readonly context: Context
  /** Keyed hash of the caller's user id; undefined without one, or where consent forbids storing. */
  readonly userKey: string | undefined
  /** Known bots are served and labelled later; the label travels with the decision. */
  readonly deviceSessionId: string | undefined
}
