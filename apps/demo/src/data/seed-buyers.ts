import { readFile } from 'node:fs/promises'
import path from 'node:path'
import {
  advertiser,
  blockSite,
  sellpage,
} from '../../../server/src/capabilities/campaigns/index.ts'
import {
  addAsset,
  banner,
  brand,
  category,
  product,
  storeUpload,
  Upload,
} from '../../../server/src/capabilities/creatives/index.ts'
import {
  createRow,
  type Resource,
  type Values,
} from '../../../server/src/platform/resources/index.ts'
import { BANNERS, SIZES, type BannerKey, type DemoBanner } from './banners.ts'
import { ADVERTISERS, type AdvertiserKey, type DemoAdvertiser } from './buyers.ts'
import { drawAdvert } from './picture.ts'
import {
  daysFrom,
  makeEach,
  type Banners,
  type Buyers,
  type DemoDeps,
  type Inventory,
  type People,
} from './world.ts'

export async function addBuyers(
  deps: DemoDeps,
  { people, inventory }: { people: People; inventory: Inventory },
): Promise<Buyers> {
  const actor = people.actors.adops
  const advertisers = await makeEach<AdvertiserKey, DemoAdvertiser>(ADVERTISERS, (buyer) =>
    createRow(deps, advertiser, {
      body: {
        accountId: people.accounts[buyer.account],
        name: buyer.name,
        contact: buyer.contact,
        currency: buyer.currency,
        timeZone: buyer.timeZone,
        ...(buyer.budgetDailyMicros && { budgetDailyMicros: String(buyer.budgetDailyMicros) }),
      },
      actor,
      extra: { isHouse: buyer.isHouse ?? false },
    }),
  )
  const sellpages = await makeEach<AdvertiserKey, DemoAdvertiser>(
    ADVERTISERS,
    ({ product, url }, key) =>
      createRow(deps, sellpage, {
        body: { advertiserId: advertisers[key], name: product, url },
        actor,
      }),
  )
  for (const [key, { avoids = [] }] of buyers()) {
    for (const siteKey of avoids) {
      const siteId = inventory.sites[siteKey]
      await blockSite(deps, { advertiserId: advertisers[key], siteId, actor })
    }
  }
  return { advertisers, sellpages }
}

const buyers = () => Object.entries(ADVERTISERS) as [AdvertiserKey, DemoAdvertiser][]

interface Studio {
  readonly people: People
  readonly buyers: Buyers
}

/** Draws every banner in its size and adds it to its advertiser's assets. */
export async function addBanners(deps: DemoDeps, studio: Studio): Promise<Banners> {
  const made: Partial<Record<BannerKey, string>> = {}
  for (const [key, buyer] of buyers()) {
    const references = await addReferences(deps, { buyer, studio })
    const drafts: Readonly<Record<string, DemoBanner>> = BANNERS[key]
    for (const [name, draft] of Object.entries(drafts)) {
      const picture = await addPicture(deps, { buyer, draft, name, studio })
      const body = {
        ...references,
        ...wordsOf(buyer, draft),
        ...scheduleOf(deps, buyer, draft),
        advertiserId: studio.buyers.advertisers[key],
        primaryImageUrl: picture.filePath,
        ...(await addFilm(deps, { buyer, draft, studio })),
      }
      const row = await createRow(deps, banner, { body, actor: studio.people.actors.adops })
      made[`${key}.${name}` as BannerKey] = String(row.publicId)
    }
  }
  return made as Banners
}

async function addReferences(
  deps: DemoDeps,
  { buyer, studio }: { buyer: DemoAdvertiser; studio: Studio },
) {
  const add = async (resource: Resource, name: string) => {
    const externalId = name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
    const actor = studio.people.actors.adops
    return String((await createRow(deps, resource, { body: { name, externalId }, actor })).publicId)
  }
  return {
    brandId: await add(brand, buyer.brand),
    categoryId: await add(category, buyer.category),
    productId: await add(product, buyer.product),
  }
}

interface Picture {
  readonly buyer: DemoAdvertiser
  readonly draft: DemoBanner
  readonly name: string
  readonly studio: Studio
}

async function addPicture(
  deps: DemoDeps,
  { buyer, draft, name, studio }: Picture,
): Promise<Values> {
  const bytes = Buffer.from(drawAdvert({ ...buyer, ...draft }, SIZES[draft.size]))
  return addFile(deps, { buyer, studio, bytes, fileName: `${buyer.account}-${name}.svg` })
}

type Film = Omit<Picture, 'name'>

const SKIP_AFTER_MS = 5_000

/** A film may be skipped after five seconds. */
async function addFilm(deps: DemoDeps, { buyer, draft, studio }: Film): Promise<object> {
  const { film: fileName } = draft
  if (fileName === undefined) return {}
  const bytes = await readFile(path.join(import.meta.dirname, fileName))
  const { filePath } = await addFile(deps, { buyer, studio, bytes, fileName })
  return { videoUrl: filePath, videoSkipAfterMs: SKIP_AFTER_MS }
}

interface File extends Pick<Picture, 'buyer' | 'studio'> {
  readonly bytes: Buffer
  readonly fileName: string
}

async function addFile(deps: DemoDeps, { buyer, studio, bytes, fileName }: File): Promise<Values> {
  const request = {
    upload: new Upload(bytes),
    query: { accountId: studio.people.accounts[buyer.account], fileName },
    actor: studio.people.actors.adops,
  }
  const { record } = await addAsset(deps, await storeUpload(deps, request), request)
  return record
}

const wordsOf = (buyer: DemoAdvertiser, draft: DemoBanner) => ({
  title: `${buyer.brand}: ${draft.headline}`,
  source: buyer.isHouse ? 'internal' : 'sponsored',
  format: draft.format ?? 'single_image',
  ...SIZES[draft.size],
  primaryImageAlt: `${buyer.brand}: ${draft.headline}. ${draft.offer}.`,
  headline: draft.headline,
  subheadline: draft.subheadline ?? null,
  ctaLabel: draft.offer,
  ctaUrl: buyer.url,
  utmSource: 'meridian',
  utmMedium: 'banner',
  adProductCategory: draft.adProduct ?? buyer.adProduct,
  bgColor: buyer.colours[0],
  tags: [...(draft.tags ?? [])],
  isActive: draft.isActive ?? true,
  isEvergreenFallback: draft.isEvergreenFallback ?? false,
  html: draft.format === 'html' ? cardOf(buyer, draft) : null,
})

/** A banner of the format html: text and a link, no script. */
const cardOf = ({ brand, url, colours: [dark] }: DemoAdvertiser, draft: DemoBanner) =>
  `<a href="${url}" style="display:grid;place-content:center;height:100%;background:${dark};color:#fff;font:600 22px Georgia,serif;text-align:center;text-decoration:none"><small>${brand}</small>${draft.headline}<b>${draft.offer}</b></a>`

function scheduleOf({ clock }: DemoDeps, { timeZone }: DemoAdvertiser, draft: DemoBanner) {
  const [publish = null, expire = null] = draft.days ?? []
  const [from = null, to = null] = draft.hours ?? []
  return {
    publishAt: daysFrom(clock.now(), publish),
    expiresAt: daysFrom(clock.now(), expire),
    scheduleTimezone: timeZone,
    recurrenceRule: draft.recurrence ?? null,
    recurrenceWindowStart: from,
    recurrenceWindowEnd: to,
  }
}
