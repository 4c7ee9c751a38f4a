/** Longer texts are cut before parsing. Real headers are shorter. */
const TEXT_LENGTH_MAX = 512

/**
 * Parses a text once and caches the answer; keeps at most `max`. The cache has two halves: when the
 * newer is full it becomes the older, and texts not seen since are dropped. That costs one look-up
 * per call, where an LRU list would be reordered by every call.
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
