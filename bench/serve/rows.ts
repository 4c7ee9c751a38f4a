import type { Change } from '@placard/decision-engine'
import type { Database } from '../../apps/server/src/platform/database/connect.ts'
import type { Ids } from '../../apps/server/src/platform/ids.ts'
import { insertRows, type Values } from '../../apps/server/src/platform/resources/index.ts'
import * as campaigns from '../../apps/server/src/capabilities/campaigns/tables.ts'
import * as creatives from '../../apps/server/src/capabilities/creatives/tables.ts'
import { frequencyCaps } from '../../apps/server/src/capabilities/frequency/tables.ts'
import { accounts } from '../../apps/server/src/capabilities/accounts/tables.ts'
import * as inventory from '../../apps/server/src/capabilities/inventory/tables.ts'

/** The records of a catalogue by the engine's names. An unknown kind is an error. */
type Put = Extract<Change, { readonly put: string }>
type Records = { readonly [Kind in Put['put']]: readonly Extract<Put, { put: Kind }>['record'][] }

/** Writes the engine bench's catalogue to PostgreSQL in bulk. Keys become the ids of the rows. */
export async function writeCatalogue(
  db: Database,
  ids: Ids,
  changes: Iterable<Change>,
): Promise<{ ads: number; placements: string[] }> {
  const records = byKind(changes)
  const of: Source['of'] = (kind) => (records[kind] ?? []) as never
  const now = new Date().toISOString()
  const base = () => ({ publicId: ids.next(), createdAt: now, updatedAt: now })
  const owned = () => ({ ...base(), accountId: 1n })

  await insertRows(db, accounts, [{ ...base(), kind: 'platform', name: 'Bench' }])
  await insertRows(db, inventory.publishers, [{ ...owned(), name: 'Bench', currency: 'EUR' }])
  const placements = of('placement')
  await insertRows(
    db,
    inventory.placements,
    placements.map((placement) => ({
      ...owned(),
      publisherId: 1n,
      slug: placement.slug,
      label: placement.slug,
      type: placement.type,
      layoutType: 'inline_card',
      mode: placement.mode,
      floorMicros: BigInt(placement.floorMicros),
      timeZone: placement.timeZone,
    })),
  )
  await writeBuyers(db, { of, owned })
  await writeOffers(db, { of, owned })
  await writeTerms(db, { of, owned, now })
  return { ads: of('ad').length, placements: placements.map(({ slug }) => slug) }
}

interface Source {
  of<Kind extends keyof Records>(kind: Kind): Records[Kind]
  owned(): Values
}

async function writeBuyers(db: Database, { of, owned }: Source): Promise<void> {
  const all = of('campaign')
  const advertisers = Math.max(...all.map(({ advertiserKey }) => advertiserKey))
  await insertRows(
    db,
    campaigns.advertisers,
    Array.from({ length: advertisers }, (_, at) => ({
      ...owned(),
      name: `Advertiser ${at + 1}`,
      currency: 'EUR',
      timeZone: ['UTC', 'Europe/Berlin', 'America/New_York'][at % 3],
      budgetDailyMicros: 50_000_000_000n,
    })),
  )
  await insertRows(
    db,
    campaigns.campaigns,
    all.map((campaign) => ({
      ...owned(),
      advertiserId: BigInt(campaign.advertiserKey),
      name: `Campaign ${campaign.key}`,
      source: 'sponsored',
      status: 'active',
      pricing: campaign.pricing,
      maxBidMicros: BigInt(campaign.bidMicrosMax ?? 40_000_000),
      pacingStrategy: campaign.key % 2 === 0 ? 'Smooth' : 'Accelerated',
      budgetDailyMicros: 5_000_000_000n,
      priority: campaign.priority,
    })),
  )
}

async function writeOffers(db: Database, { of, owned }: Source): Promise<void> {
  const banners = of('banner')
  await insertRows(
    db,
    creatives.banners,
    banners.map((banner) => ({
      ...owned(),
      advertiserId: BigInt(banner.advertiserKey),
      title: `Banner ${banner.key}`,
      source: 'sponsored',
      format: banner.format,
      primaryImageUrl: `https://cdn.example/banner/${banner.key}.webp`,
      headline: 'Run the long way home',
      description: 'Trail shoes that forgive every stone on the way.',
      ctaLabel: 'Shop now',
      ctaUrl: `https://shop.example/p/${banner.key}?ref=placard`,
      scheduleStatus: 'evergreen',
    })),
  )
  const ads = of('ad')
  const setOf = new Map<number, number>()
  for (const { campaignKey } of ads)
    if (!setOf.has(campaignKey)) setOf.set(campaignKey, setOf.size + 1)
  await insertRows(
    db,
    campaigns.adSets,
    [...setOf.keys()].map((campaignKey) => ({
      ...owned(),
      campaignId: BigInt(campaignKey),
      name: 'All',
    })),
  )
  await insertRows(
    db,
    campaigns.ads,
    ads.map((ad) => ({
      ...owned(),
      campaignId: BigInt(ad.campaignKey),
      adSetId: BigInt(setOf.get(ad.campaignKey)!),
      bannerId: BigInt(ad.bannerKey),
      name: `Ad ${ad.key}`,
      bidMicros: BigInt(ad.bidMicros),
    })),
  )
}

/** Placements, targeting rules and caps of the campaigns. */
async function writeTerms(
  db: Database,
  { of, owned, now }: Source & { readonly now: string },
): Promise<void> {
  await insertRows(
    db,
    campaigns.campaignPlacements as never,
    of('campaign-placement').map((link) => ({
      campaignId: BigInt(link.campaignKey),
      placementId: BigInt(link.placementKey),
      createdAt: now,
    })),
  )
  await insertRows(
    db,
    campaigns.campaignTargetingRules,
    of('rule').map((rule) => ({
      ...owned(),
      campaignId: BigInt(rule.campaignKey),
      ruleType: rule.type,
      operator: rule.operator,
      value: rule.value,
    })),
  )
  await insertRows(
    db,
    frequencyCaps,
    of('cap').map((cap) => ({
      ...owned(),
      [`${cap.scope}Id`]: BigInt(cap.scopeKey),
      maxImpressionsPerUser: cap.impressionsMax,
      window: cap.window,
    })),
  )
}

function byKind(changes: Iterable<Change>): Partial<Records> {
  const records: Record<string, unknown[]> = {}
  for (const change of changes) {
    if ('put' in change) (records[change.put] ??= []).push(change.record)
  }
  return records
}
