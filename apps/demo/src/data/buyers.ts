import type { AccountKey } from './people.ts'
import type { Motif } from './picture.ts'
import type { SiteKey } from './sellers.ts'

export interface DemoAdvertiser {
  readonly account: AccountKey
  readonly name: string
  readonly contact: string
  readonly currency: string
  readonly timeZone: string
  readonly budgetDailyMicros?: bigint
  /** The advertiser whose banners fill unsold slots. */
  readonly isHouse?: boolean
  readonly brand: string
  readonly category: string
  readonly product: string
  /** Landing address of its ads. */
  readonly url: string
  /** Id in the IAB Ad Product Taxonomy 2.0. */
  readonly adProduct: string
  /** Ids in the IAB Content Taxonomy 3.1: pages that suit its ads. */
  readonly contents: readonly string[]
  readonly motif: Motif
  readonly colours: readonly [dark: string, bright: string, ink: string]
  readonly avoids?: readonly SiteKey[]
}

export const ADVERTISERS = {
  northwind: {
    account: 'northwind',
    name: 'Northwind Outfitters',
    contact: 'media@northwind.example',
    currency: 'EUR',
    timeZone: 'Europe/Berlin',
    budgetDailyMicros: 15_000_000n,
    brand: 'Northwind',
    category: 'Shoes',
    product: 'Trail shoe Fjord',
    url: 'https://northwind.example/trail',
    adProduct: '1070',
    contents: ['227', '677', '223', '653'],
    motif: 'shoe',
    colours: ['#0f3d3e', '#3f8f7f', '#ffe8b6'],
  },
  kaffa: {
    account: 'kaffa',
    name: 'Kaffa Roasters',
    contact: 'hello@kaffa.example',
    currency: 'EUR',
    timeZone: 'Europe/Vienna',
    budgetDailyMicros: 60_000_000n,
    brand: 'Kaffa',
    category: 'Coffee',
    product: 'House blend, 500 g',
    url: 'https://kaffa.example/beans',
    adProduct: '1133',
    contents: ['222', '210'],
    motif: 'cup',
    colours: ['#3b2416', '#a8632f', '#ffe9cf'],
  },
  lumen: {
    account: 'lumen',
    name: 'Lumen Home',
    contact: 'ads@lumen.example',
    currency: 'EUR',
    timeZone: 'Europe/Amsterdam',
    budgetDailyMicros: 90_000_000n,
    brand: 'Lumen',
    category: 'Lighting',
    product: 'Reading lamp Orla',
    url: 'https://lumen.example/evenings',
    adProduct: '1286',
    contents: ['283', '277'],
    motif: 'lamp',
    colours: ['#1b1d4d', '#5b54c9', '#ffd76b'],
  },
  verde: {
    account: 'verde',
    name: 'Verde Garden',
    contact: 'campaigns@verde.example',
    currency: 'EUR',
    timeZone: 'Europe/Madrid',
    budgetDailyMicros: 50_000_000n,
    brand: 'Verde',
    category: 'Garden',
    product: 'Balcony set',
    url: 'https://verde.example/season',
    adProduct: '1285',
    contents: ['275', '285', '274'],
    motif: 'leaf',
    colours: ['#17401f', '#5fa33c', '#e9f7c6'],
  },
  auralis: {
    account: 'auralis',
    name: 'Auralis Audio',
    contact: 'growth@auralis.example',
    currency: 'GBP',
    timeZone: 'Europe/London',
    budgetDailyMicros: 15_000_000n,
    brand: 'Auralis',
    category: 'Headphones',
    product: 'Headphones Q7',
    url: 'https://auralis.example/q7',
    adProduct: '1111',
    contents: ['338', 'JLBCU7'],
    motif: 'sound',
    colours: ['#1a1a24', '#7a2e5d', '#ffc9d8'],
  },
  folio: {
    account: 'folio',
    name: 'Folio Books',
    contact: 'marketing@folio.example',
    currency: 'GBP',
    timeZone: 'Europe/Dublin',
    budgetDailyMicros: 4_000_000n,
    brand: 'Folio',
    category: 'Books',
    product: 'Book of the month',
    url: 'https://folio.example/month',
    adProduct: '1422',
    contents: ['42', '48'],
    motif: 'book',
    colours: ['#5a1522', '#c2503a', '#fff1dc'],
  },
  pedal: {
    account: 'pedal',
    name: 'Pedal & Spoke',
    contact: 'shop@pedalandspoke.example',
    currency: 'GBP',
    timeZone: 'Europe/London',
    budgetDailyMicros: 9_000_000n,
    brand: 'Pedal & Spoke',
    category: 'Bicycles',
    product: 'City bike Tern',
    url: 'https://pedalandspoke.example/ride',
    adProduct: '1575',
    contents: ['492', '483'],
    motif: 'wheel',
    colours: ['#0b3954', '#e2703a', '#fdf3e7'],
  },
  tidewater: {
    account: 'tidewater',
    name: 'Tidewater Travel',
    contact: 'partners@tidewater.example',
    currency: 'USD',
    timeZone: 'America/New_York',
    budgetDailyMicros: 30_000_000n,
    brand: 'Tidewater',
    category: 'Travel',
    product: 'Island week',
    url: 'https://tidewater.example/islands',
    adProduct: '1533',
    contents: ['673', '665', '653'],
    motif: 'wave',
    colours: ['#053b6b', '#19a7b8', '#fff6d6'],
    avoids: ['gazette'],
  },
  house: {
    account: 'platform',
    name: 'Meridian house',
    contact: 'adops@demo.placard.example',
    currency: 'EUR',
    timeZone: 'Europe/Berlin',
    isHouse: true,
    brand: 'Meridian',
    category: 'Marketplace',
    product: 'Gift card',
    url: 'https://shop.meridian.example/gifts',
    adProduct: '1177',
    contents: ['473'],
    motif: 'lamp',
    colours: ['#2b2d42', '#8d99ae', '#edf2f4'],
  },
} as const satisfies Record<string, DemoAdvertiser>

export type AdvertiserKey = keyof typeof ADVERTISERS
