export type ProposalStatus = 'pending' | 'accepted' | 'declined' | 'withdrawn'

/** For each field, its value when the change was proposed and the proposed value. */
export type Changes = Readonly<Record<string, { readonly from: unknown; readonly to: unknown }>>

interface RequestedChange {
  /** The row as the API shows it now. */
  readonly shown: Readonly<Record<string, unknown>>
  /** The fields that would change, with their new values. */
  readonly fields: Readonly<Record<string, unknown>>
  /** Every field in the request, including those that already have the requested value. */
  readonly sent: readonly string[]
}

/**
 * Each row has at most one pending proposal. A new value replaces the older one. The current value
 * withdraws the field.
 */
export function merged(waiting: Changes, { shown, fields, sent }: RequestedChange): Changes {
  const kept = Object.entries(waiting).filter(([field]) => !sent.includes(field))
  const added = Object.entries(fields).map(
    ([field, to]) => [field, { from: shown[field] ?? null, to }] as const,
  )
  return Object.fromEntries([...kept, ...added])
}

/** The fields that accepting the proposal writes. */
export const valuesToWrite = (changes: Changes): Record<string, unknown> =>
  Object.fromEntries(Object.entries(changes).map(([field, { to }]) => [field, to]))
