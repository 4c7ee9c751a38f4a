/** One entry of a picker. */
export interface Choice {
  readonly value: string
  readonly label: string
  /** A second line that tells equal names apart: domain, currency, size. */
  readonly note?: string | undefined
}

/** Choices that contain every typed word in their label, note or code. */
export function findChoices(choices: readonly Choice[], search: string): readonly Choice[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  return choices.filter(({ value, label, note = '' }) => {
    const text = `${label} ${note} ${value}`.toLowerCase()
    return words.every((word) => text.includes(word))
  })
}
