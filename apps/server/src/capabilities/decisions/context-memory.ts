import { LRUCache } from 'lru-cache'

/** What was longer than this is cut before it is read: real headers are shorter. */
const TEXT_LENGTH_MAX = 512

/** Reads a text once and keeps the answer while the text keeps coming; the latest `max` are kept. */
export function readOnce<Answer>(
  max: number,
  read: (text: string) => Answer,
): (text: string | undefined) => Answer | undefined {
  const known = new LRUCache<string, { readonly answer: Answer }>({ max })
  return (given) => {
    if (!given) return undefined
    const text = given.length > TEXT_LENGTH_MAX ? given.slice(0, TEXT_LENGTH_MAX) : given
    let found = known.get(text)
    if (found === undefined) {
      found = { answer: read(text) }
      known.set(text, found)
    }
    return found.answer
  }
}
