/** What may be done with what is known of the reader. An ad without it is always possible. */
export interface Permissions {
  /** Write about the reader, here or in the browser (TCF purpose 1). */
  readonly mayStore: boolean
  /** Use the reader's id: caps, matching of events (purpose 1). */
  readonly mayIdentify: boolean
  /** Choose by segments, interests, purchases (purposes 3 and 4). */
  readonly mayPersonalise: boolean
  /** Count events for a user (purpose 7). */
  readonly mayMeasure: boolean
  /** Choose ads at all (purpose 2). */
  readonly maySelect: boolean
  /** The reader is a child. */
  readonly isChild: boolean
}

export const ALLOWED: Permissions = {
  mayStore: true,
  mayIdentify: true,
  mayPersonalise: true,
  mayMeasure: true,
  maySelect: true,
  isChild: false,
}

/** A law asks for consent, and none can be read. */
export const REFUSED: Permissions = {
  mayStore: false,
  mayIdentify: false,
  mayPersonalise: false,
  mayMeasure: false,
  maySelect: false,
  isChild: false,
}

/** The reader opted out of being followed: ads go on, chosen by page and place. */
export const NOT_FOLLOWED: Permissions = { ...REFUSED, maySelect: true }

/** A refusal wins over any permission. */
export const both = (a: Permissions, b: Permissions): Permissions => ({
  mayStore: a.mayStore && b.mayStore,
  mayIdentify: a.mayIdentify && b.mayIdentify,
  mayPersonalise: a.mayPersonalise && b.mayPersonalise,
  mayMeasure: a.mayMeasure && b.mayMeasure,
  maySelect: a.maySelect && b.maySelect,
  isChild: a.isChild || b.isChild,
})

export const refusesNothing = (permissions: Permissions): boolean =>
  permissions.mayStore &&
  permissions.mayIdentify &&
  permissions.mayPersonalise &&
  permissions.mayMeasure &&
  permissions.maySelect &&
  !permissions.isChild
