import { advertisers } from '../../capabilities/campaigns/tables.ts'
import { banner } from '../../capabilities/creatives/index.ts'
import { placement, publisher, site, slot } from '../../capabilities/inventory/index.ts'
import {
  createRow,
  type Actor,
  type Resource,
  type Values,
} from '../../platform/resources/index.ts'
import { freshDatabase } from '../services/database.ts'
import { actorOf, addAccount, depsOn } from '../world.ts'

/** An advertiser with banners and a publisher with placements. */
export async function aCatalogue() {
  const deps = depsOn(await freshDatabase())
  const buyer = await addAccount(deps, 'advertiser')
  const seller = await addAccount(deps, 'publisher')
  const now = deps.clock.now()
  const [advertiser] = await deps.db
    .insert(advertisers)
    .values({
      publicId: deps.ids.next(),
      accountId: buyer.id,
      name: 'Northwind',
      currency: 'EUR',
      createdAt: now,
      updatedAt: now,
    })
    .returning()
  const buying = actorOf(buyer)
  const addBanner = (body: Values = {}) =>
    createRow(deps, banner, {
      body: {
        advertiserId: advertiser!.publicId,
        title: 'Autumn sale',
        primaryImageUrl: 'https://cdn.example/a.png',
        ...body,
      },
      actor: buying,
    })
  const selling = actorOf(seller)
  return { deps, buyer, seller, buying, selling, advertiser: advertiser!, addBanner }
}

type Catalogue = Awaited<ReturnType<typeof aCatalogue>>

/** A site of the publisher with one slot. */
export async function addSite({ deps, seller, selling }: Catalogue, name = 'shop') {
  const make = async (resource: Resource, body: Values) =>
    createRow(deps, resource, { body, actor: selling })
  const account = { accountId: seller.publicId, name: 'The Daily', currency: 'EUR' }
  const publisherId = (await make(publisher, account)).publicId
  const place = await make(placement, { publisherId, slug: name, label: name, layoutType: 'popup' })
  const made = await make(site, { publisherId, name, domain: `${name}.example` })
  const slotBody = { name: 'Top', width: 300, height: 250 }
  await make(slot, { ...slotBody, siteId: made.publicId, placementId: place.publicId })
  return { siteId: String(made.publicId), placementId: place.id as bigint }
}

export const targetOf = (row: Values, actor: Actor) => ({ publicId: String(row.publicId), actor })

/** Code of the problem that the work fails with. */
export const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'accepted',
    (error: Error & { kind?: { code: string } }) => error.kind?.code ?? error.message,
  )
