/** A choice as people see it. */
export interface Choice {
  readonly value: string
  readonly label: string
  /** A second line that tells choices of the same name apart: domain, currency, size. */
  readonly note?: string | undefined
}

/** Choices that have every typed word in their label, note or code. */
export function findChoices(choices: readonly Choice[], search: string): readonly Choice[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  return choices.filter(({ value, label, note = '' }) => {
    const text = `${label} ${note} ${value}`.toLowerCase()
    return words.every((word) => text.includes(word))
  })
}
