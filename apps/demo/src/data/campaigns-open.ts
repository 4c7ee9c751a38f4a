import type { DemoCampaign } from './campaign-data.ts'

const ALWAYS = { state: 'active', days: [-10, 120], budgetDailyMicros: 300_000_000n } as const

/** Without targeting, so that everybody who opens the demo shop sees ads at any hour. */
export const OPEN_CAMPAIGNS: readonly DemoCampaign[] = [
  {
    ...ALWAYS,
    name: 'All-day coffee',
    advertiser: 'kaffa',
    maxBidMicros: 4_000_000n,
    adSets: { Everybody: { 'kaffa.box': 2_400_000n, 'kaffa.native': 3_200_000n } },
    bidsOn: ['category-grid', 'product-rail', 'magazine-feed'],
  },
  {
    ...ALWAYS,
    name: 'Lamps for all rooms',
    advertiser: 'lumen',
    maxBidMicros: 5_000_000n,
    adSets: { Everybody: { 'lumen.box': 2_800_000n, 'lumen.story': 3_800_000n } },
    booked: { 'home-hero': [{ banner: 'lumen.hero' }] },
    bidsOn: ['category-grid', 'product-rail', 'story-break'],
  },
  {
    ...ALWAYS,
    name: 'Green balconies',
    advertiser: 'verde',
    maxBidMicros: 4_000_000n,
    adSets: { Everybody: { 'verde.box': 2_600_000n, 'verde.card': 2_000_000n } },
    booked: { 'home-hero': [{ banner: 'verde.hero' }] },
    bidsOn: ['category-grid', 'product-rail', 'magazine-feed'],
  },
  {
    ...ALWAYS,
    name: 'A lamp for every corner',
    advertiser: 'lumen',
    description:
      'Bids most in the magazine; on pages about food or gardens those who fit them win with a little less.',
    maxBidMicros: 6_000_000n,
    adSets: { Everybody: { 'lumen.card': 5_800_000n } },
    bidsOn: ['magazine-feed'],
  },
  {
    ...ALWAYS,
    name: 'Evenings with Orla',
    advertiser: 'lumen',
    description: 'A film before the films of the magazine.',
    maxBidMicros: 12_000_000n,
    adSets: { Everybody: { 'lumen.film': 9_000_000n } },
    bidsOn: ['film-start'],
  },
  {
    ...ALWAYS,
    name: 'Hear it yourself',
    advertiser: 'auralis',
    maxBidMicros: 4_000_000n,
    booked: { 'front-top': [{ banner: 'auralis.hero' }] },
  },
  {
    ...ALWAYS,
    name: 'Studio at home',
    advertiser: 'auralis',
    maxBidMicros: 4_000_000n,
    adSets: {
      Everybody: {
        'auralis.card': 2_600_000n,
        'auralis.tower': 2_500_000n,
        'auralis.bar': 900_000n,
      },
    },
    bidsOn: ['news-feed', 'article-side', 'article-bar'],
  },
  {
    ...ALWAYS,
    name: 'Read anywhere',
    advertiser: 'folio',
    maxBidMicros: 4_000_000n,
    adSets: {
      Everybody: { 'folio.native': 2_200_000n, 'folio.tower': 3_000_000n, 'folio.bar': 1_200_000n },
    },
    bidsOn: ['news-feed', 'article-side', 'article-bar'],
  },
]
