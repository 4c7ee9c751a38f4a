/**
 * The name of a segment, the same in a targeting rule, in what a publisher's server says of a reader
 * and in a context token. Without schemas, small enough to ship to a page.
 */
export const SEGMENT_LENGTH_MAX = 128

/** Segments of one reader. */
export const SEGMENTS_MAX = 64

/** Visible characters, at least one of them no space. */
export const SEGMENT_PATTERN = '^[^\\p{C}]*[^\\p{C}\\p{Z}][^\\p{C}]*$'

export const SEGMENT_WORDS = `1 to ${SEGMENT_LENGTH_MAX} visible characters`

const NAME = new RegExp(`^[^\\p{C}]{1,${SEGMENT_LENGTH_MAX}}$`, 'u')

/** Its one spelling, without spaces around it; undefined for what is no name. */
export function segmentOf(text: string): string | undefined {
  const name = text.trim()
  return NAME.test(name) ? name : undefined
}
