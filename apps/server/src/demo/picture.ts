/** Pictures that look like ads, drawn here: the demo fetches nothing. */

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

export function drawAdvert(advert: Advert, { width, height }: Size): string {
  const [dark, bright, ink] = advert.colours
  const isTall = height > width * 0.6
  const unit = Math.min(width, height)
  const art = isTall ? Math.min(width * 0.66, height * 0.46) : Math.min(height * 0.86, width * 0.3)
  const artX = isTall ? (width - art) / 2 : width - art - unit * 0.08
  const artY = isTall ? height * 0.06 : (height - art) / 2
  const textY = isTall ? artY + art + unit * 0.14 : height * 0.3
  const room = (isTall ? width : artX) - unit * 0.16
  const size = Math.min(height * (isTall ? 0.085 : 0.15), room / (advert.headline.length * 0.72))

  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="Georgia, 'DejaVu Serif', serif">`,
    `<defs><linearGradient id="g" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="${dark}"/><stop offset="1" stop-color="${bright}"/></linearGradient></defs>`,
    `<rect width="${width}" height="${height}" fill="url(#g)"/>`,
    `<circle cx="${artX + art / 2}" cy="${artY + art / 2}" r="${art * 0.56}" fill="#fff" opacity=".13"/>`,
    `<g transform="translate(${artX} ${artY}) scale(${art / 100})" fill="${ink}" color="${ink}">${MOTIFS[advert.motif]}</g>`,
    ...words(advert, { x: unit * 0.08, y: textY, size }),
    '</svg>',
  ].join('')
}

interface TextPlace {
  readonly x: number
  readonly y: number
  readonly size: number
}

function words({ brand, headline, offer, colours }: Advert, { x, y, size }: TextPlace): string[] {
  const button = { width: offer.length * size * 0.5 + size * 1.4, height: size * 1.7 }
  return [
    `<text x="${x}" y="${y}" font-size="${size * 0.62}" letter-spacing="${size * 0.08}" fill="#fff" opacity=".85">${escape(brand.toUpperCase())}</text>`,
    `<text x="${x}" y="${y + size * 1.35}" font-size="${size * 1.2}" font-weight="bold" fill="#fff">${escape(headline)}</text>`,
    `<rect x="${x}" y="${y + size * 2}" width="${button.width}" height="${button.height}" rx="${button.height / 2}" fill="#fff"/>`,
    `<text x="${x + button.width / 2}" y="${y + size * 3.1}" font-size="${size * 0.8}" text-anchor="middle" font-family="Helvetica, 'DejaVu Sans', sans-serif" fill="${colours[0]}">${escape(offer)}</text>`,
  ]
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

const escape = (text: string) => text.replaceAll(/[&<>"]/g, (character) => ENTITIES[character]!)
