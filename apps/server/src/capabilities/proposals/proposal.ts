export type ProposalStatus = 'pending' | 'accepted' | 'declined' | 'withdrawn'

/** By field: the value when it was proposed, and the one that is proposed. */
export type Changes = Readonly<Record<string, { readonly from: unknown; readonly to: unknown }>>

interface Asked {
  /** The row as it is, as the outside sees it. */
  readonly shown: Readonly<Record<string, unknown>>
  /** What would change it. */
  readonly fields: Readonly<Record<string, unknown>>
  /** All that were asked for. */
  readonly asked: readonly string[]
}

/** One proposal waits per row: a new value for a field replaces the older one, the value that is so takes it back. */
export function merged(waiting: Changes, { shown, fields, asked }: Asked): Changes {
  const kept = Object.entries(waiting).filter(([field]) => !asked.includes(field))
  const added = Object.entries(fields).map(
    ([field, to]) => [field, { from: shown[field] ?? null, to }] as const,
  )
  return Object.fromEntries([...kept, ...added])
}

/** What accepting it writes. */
export const wantedBy = (changes: Changes): Record<string, unknown> =>
  Object.fromEntries(Object.entries(changes).map(([field, { to }]) => [field, to]))
