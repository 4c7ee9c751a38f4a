/** The header of an MP4: the `mvhd` and `tkhd` boxes of its `moov` box (ISO 14496-12). */
export interface FilmFacts {
  readonly durationMs: number
  readonly width: number
  readonly height: number
}

/** Undefined if the header is missing or broken, or names no length or no picture. */
export function filmFactsOf(bytes: Uint8Array): FilmFacts | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const movie = childOf(view, { type: 'moov', from: 0, to: view.byteLength })
  if (!movie) return undefined
  const durationMs = durationOf(view, movie)
  const size = sizeOf(view, movie)
  return durationMs === undefined || size === undefined ? undefined : { durationMs, ...size }
}

/** Start and end of a box's content. */
interface Box {
  readonly type: string
  readonly from: number
  readonly to: number
}

/** No real header has more boxes at one level. */
const BOXES_MAX = 256
const HEAD_BYTES = 8
const LARGE_HEAD_BYTES = 16

/** The boxes between two offsets. A box that does not fit ends the list. */
function* boxesIn(view: DataView, { from, to }: Omit<Box, 'type'>): Generator<Box> {
  let at = from
  for (let count = 0; count < BOXES_MAX && at + HEAD_BYTES <= to; count++) {
    const { bytes, head } = lengthAt(view, at, to)
    if (bytes < head || at + bytes > to) return
    yield { type: textAt(view, at + 4), from: at + head, to: at + bytes }
    at += bytes
  }
}

/** 0 means to the end, 1 that a 64-bit length follows. */
function lengthAt(view: DataView, at: number, to: number) {
  const bytes = view.getUint32(at)
  if (bytes === 0) return { bytes: to - at, head: HEAD_BYTES }
  if (bytes !== 1 || at + LARGE_HEAD_BYTES > to) return { bytes, head: HEAD_BYTES }
  return { bytes: Number(view.getBigUint64(at + HEAD_BYTES)), head: LARGE_HEAD_BYTES }
}

const textAt = (view: DataView, at: number) =>
  String.fromCharCode(...Array.from({ length: 4 }, (_, i) => view.getUint8(at + i)))

function childOf(view: DataView, { type, ...within }: Box): Box | undefined {
  for (const box of boxesIn(view, within)) if (box.type === type) return box
  return undefined
}

const DURATION_MS_MAX = 86_400_000

/** A fragmented film has its length in `mehd`, any other in `mvhd`. */
function durationOf(view: DataView, movie: Box): number | undefined {
  const header = childOf(view, { ...movie, type: 'mvhd' })
  if (!header) return undefined
  const isLong = versionOf(view, header) === 1
  const timescale = uintAt(view, header, isLong ? 20 : 12)
  const units = isLong ? longAt(view, header, 24) : uintAt(view, header, 16)
  const ms = Math.round(((units || fragmentsOf(view, movie)) / timescale) * 1_000)
  return ms >= 1 && ms <= DURATION_MS_MAX ? ms : undefined
}

function fragmentsOf(view: DataView, movie: Box): number {
  const fragments = childOf(view, { ...movie, type: 'mvex' })
  const header = fragments && childOf(view, { ...fragments, type: 'mehd' })
  if (!header) return 0
  return versionOf(view, header) === 1 ? longAt(view, header, 4) : uintAt(view, header, 4)
}

const PIXELS_MAX = 20_000

/** The size of the first track with a picture, after its rotation. */
function sizeOf(view: DataView, movie: Box) {
  for (const track of boxesIn(view, movie)) {
    if (track.type !== 'trak') continue
    const header = childOf(view, { ...track, type: 'tkhd' })
    const size = header && trackSizeOf(view, header)
    if (size) return size
  }
  return undefined
}

function trackSizeOf(view: DataView, header: Box) {
  const matrix = versionOf(view, header) === 1 ? 52 : 40
  const [wide, high] = [36, 40].map((offset) => uintAt(view, header, matrix + offset) >>> 16)
  const isSane = [wide!, high!].every((pixels) => pixels >= 1 && pixels <= PIXELS_MAX)
  if (!isSane) return undefined
  const isRotated = uintAt(view, header, matrix) === 0 && uintAt(view, header, matrix + 4) !== 0
  return isRotated ? { width: high!, height: wide! } : { width: wide!, height: high! }
}

/** Bytes beyond the box read as 0. */
const versionOf = (view: DataView, { from, to }: Box) => (from < to ? view.getUint8(from) : 0)
const uintAt = (view: DataView, { from, to }: Box, offset: number) =>
  from + offset + 4 <= to ? view.getUint32(from + offset) : 0
const longAt = (view: DataView, { from, to }: Box, offset: number) =>
  from + offset + 8 <= to ? Number(view.getBigUint64(from + offset)) : 0
