import type { AdvertiserKey } from './buyers.ts'
import type { Size } from './picture.ts'

export const SIZES = {
  billboard: { width: 970, height: 250 },
  box: { width: 300, height: 250 },
  tower: { width: 300, height: 600 },
  bar: { width: 728, height: 90 },
  card: { width: 600, height: 400 },
  story: { width: 1_080, height: 1_920 },
  screen: { width: 640, height: 360 },
} as const satisfies Record<string, Size>

export interface DemoBanner {
  readonly size: keyof typeof SIZES
  readonly headline: string
  readonly offer: string
  readonly format?: 'html' | 'native' | 'video'
  /** The file of a video, beside this one. */
  readonly film?: string
  readonly subheadline?: string
  /** Publication and expiry, in days from now. */
  readonly days?: readonly [publish: number | null, expire: number | null]
  readonly recurrence?: string
  readonly hours?: readonly [from: string, to: string]
  readonly tags?: readonly string[]
  readonly isEvergreenFallback?: boolean
  readonly isActive?: boolean
  /** If it differs from the advertiser's usual one. */
  readonly adProduct?: string
}

/** By advertiser and name: a campaign refers to `kaffa.morning`. */
export const BANNERS = {
  northwind: {
    hero: { size: 'billboard', headline: 'Made for wet trails', offer: 'See the new soles' },
    box: { size: 'box', headline: 'Dry feet, long days', offer: 'From 89 €', tags: ['autumn'] },
    outlet: { size: 'box', headline: 'Outlet: last pairs', offer: 'Up to 50% off', tags: ['sale'] },
    card: { size: 'card', headline: 'Ten kilometres before work', offer: 'Find your pair' },
    story: { size: 'story', headline: 'Leave the road', offer: 'Discover Fjord' },
    boots: { size: 'billboard', headline: 'Boots for real winters', offer: 'Soon', days: [9, 80] },
  },
  kaffa: {
    morning: {
      size: 'billboard',
      headline: 'Good morning, properly',
      offer: 'Order beans',
      recurrence: 'FREQ=DAILY',
      hours: ['05:30', '11:00'],
    },
    box: { size: 'box', headline: 'Roasted on Tuesday', offer: 'Try 500 g' },
    office: {
      size: 'card',
      headline: 'Better meetings',
      offer: 'Office plans',
      recurrence: 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR',
      hours: ['08:00', '18:00'],
    },
    native: {
      size: 'card',
      format: 'native',
      headline: 'Why fresh coffee blooms',
      subheadline: 'Four minutes with our roaster in Vienna',
      offer: 'Read on',
    },
    iced: { size: 'box', headline: 'Iced, not watered', offer: 'Summer pack', days: [-90, -8] },
  },
  lumen: {
    hero: { size: 'billboard', headline: 'Evenings, warmer', offer: 'Light your room' },
    box: { size: 'box', headline: 'Orla, the reading lamp', offer: '59 €' },
    card: { size: 'card', headline: 'A lamp for every corner', offer: 'Find yours' },
    bulbs: { size: 'card', headline: 'Bulbs that know when', offer: 'New', days: [-4, 30] },
    story: { size: 'story', headline: 'Golden hour, every hour', offer: 'See all lamps' },
    film: {
      size: 'screen',
      format: 'video',
      film: 'evening.mp4',
      headline: 'Light for every corner',
      offer: 'Meet Orla',
    },
    night: {
      size: 'box',
      headline: 'Still reading?',
      offer: 'Soft light',
      recurrence: 'FREQ=DAILY',
      hours: ['20:00', '02:00'],
    },
  },
  verde: {
    hero: { size: 'billboard', headline: 'Your balcony, in bloom', offer: 'Start planting' },
    box: { size: 'box', headline: 'Herbs in a week', offer: 'From 12 €', tags: ['balcony'] },
    card: { size: 'card', headline: 'Seeds by post', offer: 'Pick five' },
    story: { size: 'story', headline: 'Grow something', offer: 'Season boxes' },
    bulbs: { size: 'box', headline: 'Tulips want October', offer: 'Pre-order', days: [14, 60] },
  },
  auralis: {
    hero: { size: 'billboard', headline: 'Silence, please', offer: 'Hear the Q7' },
    tower: { size: 'tower', headline: 'Forty hours', offer: 'Try Q7 at home' },
    card: { size: 'card', headline: 'Mix on what they mix on', offer: 'Studio range' },
    bar: { size: 'bar', headline: 'Q7 headphones, refurbished', offer: '£149' },
    player: {
      size: 'box',
      format: 'html',
      headline: 'Press play',
      offer: 'Listen',
      tags: ['interactive'],
    },
  },
  folio: {
    tower: { size: 'tower', headline: 'Book of the month', offer: 'Start chapter one' },
    card: { size: 'card', headline: 'Crime weekend', offer: '3 for 2', tags: ['weekend'] },
    bar: { size: 'bar', headline: 'Audiobooks, first month free', offer: 'Try it' },
    native: {
      size: 'card',
      format: 'native',
      headline: 'The novel everybody argues about',
      subheadline: 'Our booksellers choose one book a month',
      offer: 'Read the review',
    },
    festival: { size: 'billboard', headline: 'Harbour Book Festival', offer: 'Tickets' },
  },
  pedal: {
    hero: { size: 'billboard', headline: 'Cycle to work', offer: 'Save up to 42%' },
    tower: { size: 'tower', headline: 'Ride an e-bike', offer: 'Book a test' },
    card: { size: 'card', headline: 'Service while you wait', offer: '£25 voucher' },
    bar: { size: 'bar', headline: 'Commuter bikes from £420', offer: 'See bikes' },
    winter: { size: 'box', headline: 'Winter storage', offer: 'Reserve', isActive: false },
  },
  tidewater: {
    hero: { size: 'billboard', headline: 'Last-minute islands', offer: 'From $499' },
    card: { size: 'card', headline: 'Book early, swim later', offer: 'See dates' },
    story: { size: 'story', headline: 'Go where it is warm', offer: 'Island weeks' },
    cruise: {
      size: 'card',
      headline: 'Seven ports, one cabin',
      offer: 'Cruises',
      adProduct: '1538',
    },
  },
  house: {
    newsletter: {
      size: 'card',
      headline: 'Letters from Meridian',
      offer: 'Subscribe',
      isEvergreenFallback: true,
    },
    gifts: {
      size: 'billboard',
      headline: 'A gift card always fits',
      offer: 'Give one',
      isEvergreenFallback: true,
    },
    box: {
      size: 'box',
      headline: 'Sell on Meridian',
      offer: 'Open a shop',
      isEvergreenFallback: true,
    },
    story: { size: 'story', headline: 'Take us along', offer: 'App', isEvergreenFallback: true },
  },
} as const satisfies Record<AdvertiserKey, Record<string, DemoBanner>>

type Named<Advertiser extends AdvertiserKey> =
  `${Advertiser}.${keyof (typeof BANNERS)[Advertiser] & string}`

/** `northwind.hero`, …: an unknown name does not compile. */
export type BannerKey = { [Advertiser in AdvertiserKey]: Named<Advertiser> }[AdvertiserKey]

/** Answers of the sites. All other booked banners are approved. */
export const UNDECIDED: readonly BannerKey[] = [
  'auralis.player',
  'lumen.bulbs',
  'verde.story',
  'pedal.card',
]
export const REJECTED: Readonly<Partial<Record<BannerKey, string>>> = {
  'folio.card': 'Too close to our court reports: please change the words.',
}
