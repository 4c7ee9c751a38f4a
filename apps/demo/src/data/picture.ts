/** Draws pictures that look like ads, so that the demo downloads nothing. */

export interface Advert {
  readonly brand: string
  readonly headline: string
  readonly offer: string
  readonly motif: Motif
  readonly colours: readonly [dark: string, bright: string, ink: string]
}

export interface Size {
  readonly width: number
  readonly height: number
}

export type Motif = 'shoe' | 'cup' | 'leaf' | 'sound' | 'wheel' | 'book' | 'lamp' | 'wave'

/** Drawn in a square of 100 × 100. */
const MOTIFS: Record<Motif, string> = {
  shoe: '<path d="M8 70c0-14 4-30 10-34 8 8 18 6 24-2l30 24c8 4 18 6 20 16v6H8z"/><path d="M44 40l-8 8M52 46l-8 8M60 52l-8 8" stroke="#fff" stroke-width="3"/><rect x="6" y="80" width="88" height="7" rx="3.5" opacity=".7"/>',
  cup: '<path d="M22 34h48v30a18 18 0 0 1-18 18H40a18 18 0 0 1-18-18z"/><path d="M70 42h8a10 10 0 0 1 0 20h-8" fill="none" stroke="currentColor" stroke-width="6"/><path d="M36 26c-5-6 5-8 0-15M50 26c-5-6 5-8 0-15" fill="none" stroke="currentColor" stroke-width="4" stroke-linecap="round"/>',
  leaf: '<path d="M16 84C10 40 40 12 88 14c2 48-24 78-68 66z"/><path d="M18 88C34 60 52 42 74 28" fill="none" stroke="#fff" stroke-width="4" stroke-linecap="round"/>',
  sound:
    '<path d="M18 62V50a32 32 0 0 1 64 0v12" fill="none" stroke="currentColor" stroke-width="8"/><rect x="10" y="54" width="20" height="32" rx="9"/><rect x="70" y="54" width="20" height="32" rx="9"/>',
  wheel:
    '<circle cx="24" cy="66" r="18" fill="none" stroke="currentColor" stroke-width="6"/><circle cx="76" cy="66" r="18" fill="none" stroke="currentColor" stroke-width="6"/><path d="M24 66l18-32h22l12 32M42 34l14 32H24M58 24h12" fill="none" stroke="currentColor" stroke-width="6" stroke-linejoin="round" stroke-linecap="round"/>',
  book: '<path d="M50 26C38 16 22 16 10 20v58c12-4 28-4 40 6 12-10 28-10 40-6V20c-12-4-28-4-40 6z"/><path d="M50 28v54" stroke="#fff" stroke-width="3"/>',
  lamp: '<path d="M50 10a28 28 0 0 1 16 51c-4 4-4 7-4 11H38c0-4 0-7-4-11a28 28 0 0 1 16-51z"/><rect x="39" y="76" width="22" height="6" rx="3"/><rect x="42" y="85" width="16" height="6" rx="3"/>',
  wave: '<path d="M4 60c14-18 24-18 34 0s22 18 32 0 18-14 26-6v36H4z"/><circle cx="72" cy="26" r="12" opacity=".8"/>',
}

export function drawAdvert(advert: Advert, size: Size): string {
  const { width, height } = size
  const [dark, bright, ink] = advert.colours
  const { art, text } = layOut(size)

  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="Georgia, 'DejaVu Serif', serif">`,
    `<defs><linearGradient id="g" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="${dark}"/><stop offset="1" stop-color="${bright}"/></linearGradient></defs>`,
    `<rect width="${width}" height="${height}" fill="url(#g)"/>`,
    `<circle cx="${art.x + art.width / 2}" cy="${art.y + art.height / 2}" r="${art.width * 0.56}" fill="#fff" opacity=".13"/>`,
    `<g transform="translate(${art.x} ${art.y}) scale(${art.width / 100})" fill="${ink}" color="${ink}">${MOTIFS[advert.motif]}</g>`,
    ...words(advert, text),
    '</svg>',
  ].join('')
}

export const isMotif = (name: string): name is Motif => Object.hasOwn(MOTIFS, name)

const BRIGHT = { ground: '#e9eeec', ink: '#23504b' }

/** A product picture of the shop, without text. */
export const drawMotif = (motif: Motif): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 240 200" width="240" height="200"><rect width="240" height="200" fill="${BRIGHT.ground}"/><g transform="translate(65 45) scale(1.1)" fill="${BRIGHT.ink}" color="${BRIGHT.ink}">${MOTIFS[motif]}</g></svg>`

interface Box extends Size {
  readonly x: number
  readonly y: number
}

/** Wide pictures have their text on the left, all others below the art. */
function layOut({ width, height }: Size): { art: Box; text: Box } {
  const margin = Math.min(width, height) * 0.09
  if (width > height * 1.7) {
    const side = Math.min(height * 0.78, width * 0.28)
    const art = box(width - side - margin * 1.6, (height - side) / 2, { width: side, height: side })
    const room = { width: art.x - margin * 3, height: height - margin * 2 }
    return { art, text: box(margin * 1.4, margin, room) }
  }
  const side = Math.min(width * 0.62, height * 0.38)
  const art = box((width - side) / 2, margin * 1.3, { width: side, height: side })
  const y = art.y + side + margin * 0.8
  const room = { width: width - margin * 2, height: height - y - margin }
  return { art, text: box(margin, y, room) }
}

const box = (x: number, y: number, size: Size): Box => ({ x, y, ...size })

/** Mean widths of letters relative to their size, wide enough for every fallback font. */
const BOLD_SERIF = 0.68
const SANS = 0.56
const LINES_MAX = 3

interface Setting {
  readonly lines: readonly string[]
  readonly fontSize: number
}

/** Breaks the heading so that its letters are as large as possible. */
function setHeading(text: string, room: Size): Setting {
  const settings = Array.from({ length: LINES_MAX }, (_, index): Setting => {
    const lines = breakInto(index + 1, text)
    const longest = Math.max(...lines.map((line) => line.length))
    const byWidth = room.width / (longest * BOLD_SERIF)
    const byHeight = room.height / (lines.length * LINE + BRAND + BUTTON)
    return { lines, fontSize: Math.min(byWidth, byHeight, room.width * 0.13) }
  })
  return settings.reduce((best, next) => (next.fontSize > best.fontSize * 1.05 ? next : best))
}

/** Breaks words into at most this many lines of similar length. */
function breakInto(count: number, text: string): string[] {
  const aim = text.length / count
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    const fits =
      last !== undefined && (last.length + word.length / 2 <= aim || lines.length === count)
    if (fits) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}

/** Heights relative to the size of the heading. */
const LINE = 1.12
const BRAND = 0.95
const BUTTON = 1.75

function words({ brand, headline, offer, colours }: Advert, room: Box): string[] {
  const { lines, fontSize } = setHeading(headline, room)
  const used = fontSize * (lines.length * LINE + BRAND + BUTTON)
  const top = room.y + (room.height - used) / 2
  const { x } = room
  const label = Math.min(fontSize * 0.66, (room.width * 0.8) / (offer.length * SANS))
  const button = { width: offer.length * label * SANS + label * 2, height: label * 2 }
  const buttonY = top + fontSize * (lines.length * LINE + BRAND + 0.3)
  return [
    `<text x="${x}" y="${top + fontSize * 0.55}" font-size="${fontSize * 0.5}" letter-spacing="${fontSize * 0.06}" fill="#fff" opacity=".85">${escape(brand.toUpperCase())}</text>`,
    ...lines.map(
      (line, index) =>
        `<text x="${x}" y="${top + fontSize * (BRAND + LINE * index + 0.82)}" font-size="${fontSize}" font-weight="bold" fill="#fff">${escape(line)}</text>`,
    ),
    `<rect x="${x}" y="${buttonY}" width="${button.width}" height="${button.height}" rx="${button.height / 2}" fill="#fff"/>`,
    `<text x="${x + button.width / 2}" y="${buttonY + label * 1.35}" font-size="${label}" text-anchor="middle" font-family="Helvetica, 'DejaVu Sans', sans-serif" fill="${colours[0]}">${escape(offer)}</text>`,
  ]
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

const escape = (text: string) => text.replaceAll(/[&<>"]/g, (character) => ENTITIES[character]!)
