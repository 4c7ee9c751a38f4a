/** What was longer than this is cut before it is read: real headers are shorter. */
const TEXT_LENGTH_MAX = 512

/**
 * Reads a text once and keeps the answer while the text keeps coming; at most `max` are kept. In two
 * halves: when the newer is full it becomes the older, and what was not asked for again is forgotten.
 * That costs one look-up, where a list in the order of use would be put in order by every question.
 */
export function readOnce<Answer>(
  max: number,
  read: (text: string) => Answer,
): (text: string | undefined) => Answer | undefined {
  let newer = new Map<string, { readonly answer: Answer }>()
  let older = newer
  return (given) => {
    if (!given) return undefined
    const text = given.length > TEXT_LENGTH_MAX ? given.slice(0, TEXT_LENGTH_MAX) : given
    let found = newer.get(text)
    if (found === undefined) {
      found = older.get(text) ?? { answer: read(text) }
      if (newer.size >= max / 2) {
        older = newer
        newer = new Map()
      }
      newer.set(text, found)
    }
    return found.answer
  }
}
