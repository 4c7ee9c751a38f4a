import type { CampaignValues } from './campaign-values.ts'

/** A field that somebody else changed while the form was open. */
export interface Conflicting {
  readonly field: keyof CampaignValues
  readonly mine: string
  readonly theirs: string
}

interface Versions {
  /** When the form was opened. */
  readonly before: CampaignValues
  readonly mine: CampaignValues
  readonly theirs: CampaignValues
}

export const conflictsIn = ({ before, mine, theirs }: Versions): readonly Conflicting[] =>
  (Object.keys(theirs) as (keyof CampaignValues)[])
    .filter((field) => theirs[field] !== before[field])
    .map((field) => ({ field, mine: mine[field], theirs: theirs[field] }))

/** Values of both: where both changed a field, `wins` has it. */
export function mergedValues(
  { before, mine, theirs }: Versions,
  wins: 'mine' | 'theirs',
): CampaignValues {
  const fields = Object.keys(mine) as (keyof CampaignValues)[]
  const keepsMine = (field: keyof CampaignValues) =>
    mine[field] !== before[field] && (wins === 'mine' || theirs[field] === before[field])
  return Object.fromEntries(
    fields.map((field) => [field, keepsMine(field) ? mine[field] : theirs[field]]),
  ) as CampaignValues
}
