import type { CreatePlacement, CreatePublisher, CreateSite } from '@placard/contract/inventory'
import type { Static } from 'typebox'

type Declared<Schema, Reference extends string> = Readonly<Omit<Schema, Reference>>

export const PUBLISHERS = {
  meridian: { name: 'Meridian Market', currency: 'EUR', timeZone: 'Europe/Berlin' },
  gazette: { name: 'Harbour Gazette', currency: 'GBP', timeZone: 'Europe/London' },
} as const satisfies Record<string, Declared<Static<typeof CreatePublisher>, 'accountId'>>

export type PublisherKey = keyof typeof PUBLISHERS

export type DemoSite = Declared<Static<typeof CreateSite>, 'publisherId'> & {
  readonly publisher: PublisherKey
  /** Blocked ids of the IAB Ad Product Taxonomy 2.0. */
  readonly refuses?: readonly string[]
}

/** A shop has most readers in the evening, a newspaper at breakfast. */
const SHOP_DAY = [
  0.3, 0.2, 0.1, 0.1, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.1, 1.2, 1.3, 1.2, 1.1, 1.1, 1.2, 1.4, 1.7, 2, 2,
  1.6, 1, 0.6,
]
const PAPER_DAY = [
  0.3, 0.2, 0.1, 0.1, 0.3, 0.9, 1.9, 2.3, 2, 1.4, 1.1, 1, 1.3, 1.2, 0.9, 0.8, 0.9, 1.1, 1.3, 1.3, 1,
  0.8, 0.6, 0.4,
]

/** People who try the demo reload often and want to see an ad each time. */
const NEVER_HELD_BACK = { testThrottleOverride: 0 }

export const SITES = {
  shop: {
    publisher: 'meridian',
    name: 'Meridian shop',
    // The pages of a shop are not classified.
    domain: 'shop.meridian.example',
    pacing: { weekdayVolumes: SHOP_DAY, weekendVolumes: SHOP_DAY, ...NEVER_HELD_BACK },
  },
  magazine: {
    publisher: 'meridian',
    name: 'Meridian magazine',
    // The demo's pages, which the crawler can reach.
    domain: 'localhost',
    seedUrl: 'http://localhost:8080/demo/magazine',
    crawlCron: '*/30 * * * *',
    crawlDepth: 3,
    pacing: NEVER_HELD_BACK,
    refuses: ['1538'],
  },
  gazette: {
    publisher: 'gazette',
    name: 'Harbour Gazette',
    domain: 'localhost',
    seedUrl: 'http://localhost:8080/demo/gazette',
    crawlCron: '*/30 * * * *',
    crawlDepth: 2,
    pacing: { weekdayVolumes: PAPER_DAY, weekendVolumes: PAPER_DAY },
  },
} as const satisfies Record<string, DemoSite>

export type SiteKey = keyof typeof SITES

export type DemoPlacement = Declared<Static<typeof CreatePlacement>, 'publisherId' | 'slug'> & {
  readonly publisher: PublisherKey
  /** Sites that show it, in a slot of the recommended size. */
  readonly on: SiteKey
  readonly recommendedWidth: number
  readonly recommendedHeight: number
}

/** Every layout, mode and type. Floors are CPM. */
export const PLACEMENTS = {
  'home-hero': {
    publisher: 'meridian',
    on: 'shop',
    label: 'Home page, slider',
    layoutType: 'full_slider',
    mode: 'hybrid',
    rotation: 'weighted',
    pageContext: 'home',
    maxBanners: 5,
    recommendedWidth: 970,
    recommendedHeight: 250,
    floorMicros: '2500000',
    timeZone: 'Europe/Berlin',
    allowPartialRender: true,
    sortOrder: 10,
  },
  'home-wide': {
    publisher: 'meridian',
    on: 'magazine',
    label: 'Home page, below the slider',
    layoutType: 'full_static',
    mode: 'direct',
    pageContext: 'home',
    recommendedWidth: 970,
    recommendedHeight: 250,
    timeZone: 'Europe/Berlin',
    allowPartialRender: true,
    sortOrder: 20,
  },
  'home-pair': {
    publisher: 'meridian',
    on: 'shop',
    label: 'Home page, two side by side',
    layoutType: 'half_pair',
    mode: 'direct',
    pageContext: 'home',
    maxBanners: 2,
    recommendedWidth: 600,
    recommendedHeight: 400,
    recommendedAspectRatio: '3:2',
    timeZone: 'Europe/Berlin',
    allowPartialRender: true,
    sortOrder: 30,
  },
  'category-grid': {
    publisher: 'meridian',
    on: 'shop',
    label: 'Category page, four in a grid',
    layoutType: 'quarter_grid',
    mode: 'auction',
    pageContext: 'category',
    maxBanners: 4,
    isOffered: true,
    recommendedWidth: 300,
    recommendedHeight: 250,
    floorMicros: '1200000',
    timeZone: 'Europe/Berlin',
    allowPartialRender: true,
    sortOrder: 40,
  },
  'product-rail': {
    publisher: 'meridian',
    on: 'shop',
    label: 'Product page, right rail',
    layoutType: 'sidebar_stack',
    mode: 'hybrid',
    pageContext: 'product',
    maxBanners: 3,
    isOffered: true,
    recommendedWidth: 300,
    recommendedHeight: 250,
    floorMicros: '900000',
    timeZone: 'Europe/Berlin',
    allowPartialRender: true,
    sortOrder: 50,
  },
  'story-break': {
    publisher: 'meridian',
    on: 'shop',
    label: 'Between two stories',
    type: 'story',
    layoutType: 'interstitial',
    mode: 'auction',
    pageContext: 'story',
    recommendedWidth: 1_080,
    recommendedHeight: 1_920,
    recommendedAspectRatio: '9:16',
    floorMicros: '3000000',
    timeZone: 'Europe/Berlin',
    allowPartialRender: true,
    sortOrder: 60,
  },
  'cart-popup': {
    publisher: 'meridian',
    on: 'shop',
    label: 'Cart, once per visit',
    layoutType: 'popup',
    mode: 'direct',
    pageContext: 'cart',
    recommendedWidth: 600,
    recommendedHeight: 400,
    notes: 'The house only: nobody else may interrupt a purchase.',
    timeZone: 'Europe/Berlin',
    allowPartialRender: true,
    sortOrder: 70,
  },
  'magazine-feed': {
    publisher: 'meridian',
    on: 'magazine',
    label: 'Magazine, between articles',
    type: 'feed',
    layoutType: 'inline_card',
    mode: 'hybrid',
    pageContext: 'feed',
    maxBanners: 2,
    recommendedWidth: 600,
    recommendedHeight: 400,
    formats: ['single_image', 'native'],
    floorMicros: '1500000',
    timeZone: 'Europe/Berlin',
    allowPartialRender: true,
    sortOrder: 80,
  },
  'film-start': {
    publisher: 'meridian',
    on: 'magazine',
    label: 'Before a film of the magazine',
    type: 'story',
    layoutType: 'full_static',
    mode: 'auction',
    formats: ['video'],
    maxBanners: 2,
    recommendedWidth: 640,
    recommendedHeight: 360,
    floorMicros: '4000000',
    timeZone: 'Europe/Berlin',
    sortOrder: 90,
  },
  'article-side': {
    publisher: 'gazette',
    on: 'gazette',
    label: 'Article, right column',
    layoutType: 'sidebar_single',
    mode: 'auction',
    pageContext: 'article',
    recommendedWidth: 300,
    recommendedHeight: 600,
    floorMicros: '1800000',
    timeZone: 'Europe/London',
    allowPartialRender: true,
    sortOrder: 10,
  },
  'news-feed': {
    publisher: 'gazette',
    on: 'gazette',
    label: 'Front page, between the news',
    type: 'feed',
    layoutType: 'inline_card',
    mode: 'auction',
    pageContext: 'home',
    maxBanners: 3,
    recommendedWidth: 600,
    recommendedHeight: 400,
    floorMicros: '1400000',
    timeZone: 'Europe/London',
    allowPartialRender: true,
    sortOrder: 20,
  },
  'article-bar': {
    publisher: 'gazette',
    on: 'gazette',
    label: 'Bar at the foot of every page',
    layoutType: 'sticky_bar',
    mode: 'hybrid',
    rotation: 'weighted',
    recommendedWidth: 728,
    recommendedHeight: 90,
    floorMicros: '600000',
    timeZone: 'Europe/London',
    allowPartialRender: true,
    sortOrder: 30,
  },
  'front-top': {
    publisher: 'gazette',
    on: 'gazette',
    label: 'Front page, top',
    layoutType: 'full_static',
    mode: 'direct',
    pageContext: 'home',
    recommendedWidth: 970,
    recommendedHeight: 250,
    timeZone: 'Europe/London',
    allowPartialRender: true,
    sortOrder: 40,
  },
} as const satisfies Record<string, DemoPlacement>

export type PlacementKey = keyof typeof PLACEMENTS
