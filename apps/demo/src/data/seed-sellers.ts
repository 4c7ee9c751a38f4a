import {
  blockAdProduct,
  confirmDomain,
  placement,
  publisher,
  site,
  slot,
} from '../../../server/src/capabilities/inventory/index.ts'
import { createRow } from '../../../server/src/platform/resources/index.ts'
import {
  PLACEMENTS,
  PUBLISHERS,
  SITES,
  type DemoPlacement,
  type DemoSite,
  type PlacementKey,
  type PublisherKey,
  type SiteKey,
} from './sellers.ts'
import { makeEach, type DemoDeps, type Inventory, type People } from './world.ts'

/** Each publisher sets up its sites, placements and slots. */
export async function addInventory(deps: DemoDeps, people: People): Promise<Inventory> {
  const publishers = await makeEach(PUBLISHERS, (fields, key) =>
    createRow(deps, publisher, {
      body: { ...fields, accountId: people.accounts[key] },
      actor: ownerOf(people, key),
    }),
  )
  const sites = await addSites(deps, { people, publishers })
  const placements = await addPlacements(deps, { people, publishers })
  await addSlots(deps, { people, sites, placements })
  return { publishers, sites, placements }
}

type SeedInput<Key extends keyof Inventory> = { readonly people: People } & Pick<Inventory, Key>

async function addSites(deps: DemoDeps, { people, publishers }: SeedInput<'publishers'>) {
  const sites = await makeEach<SiteKey, DemoSite>(SITES, (demo) => {
    const seedUrl = demo.seedUrl?.replace('localhost:8080', `localhost:${deps.apiPort ?? 8080}`)
    const item = { ...demo, ...(seedUrl && { seedUrl }) }
    const { publisher, refuses: _, ...fields } = item
    const body = { ...fields, publisherId: publishers[publisher] }
    return createRow(deps, site, { body, actor: ownerOf(people, publisher) })
  })
  await confirmDomains(deps, people, Object.values(sites))
  for (const [key, { publisher, refuses = [] }] of entries<SiteKey, DemoSite>(SITES)) {
    for (const category of refuses) {
      const actor = ownerOf(people, publisher)
      await blockAdProduct(deps, { siteId: sites[key], category, actor })
    }
  }
  return sites
}

/** An invented domain has no DNS record, so the operator proves it. */
async function confirmDomains(deps: DemoDeps, { actors }: People, siteIds: readonly string[]) {
  const reason = 'A domain of the demo'
  for (const siteId of siteIds) {
    await confirmDomain(deps, { siteId, actor: actors.operator, reason })
  }
}

const addPlacements = (deps: DemoDeps, { people, publishers }: SeedInput<'publishers'>) =>
  makeEach<PlacementKey, DemoPlacement>(PLACEMENTS, (item, slug) => {
    const { publisher, on: _, ...fields } = item
    const body = { ...fields, slug, publisherId: publishers[publisher] }
    return createRow(deps, placement, { body, actor: ownerOf(people, publisher) })
  })

async function addSlots(
  deps: DemoDeps,
  { people, sites, placements }: SeedInput<'sites' | 'placements'>,
): Promise<void> {
  for (const [key, place] of entries<PlacementKey, DemoPlacement>(PLACEMENTS)) {
    const body = {
      siteId: sites[place.on],
      placementId: placements[key],
      name: place.label,
      width: place.recommendedWidth,
      height: place.recommendedHeight,
    }
    await createRow(deps, slot, { body, actor: ownerOf(people, place.publisher) })
  }
}

const OWNERS = { meridian: 'publisher', gazette: 'gazette' } as const

/** The user who acts for a publisher. */
export const ownerOf = ({ actors }: People, publisher: PublisherKey) => actors[OWNERS[publisher]]

const entries = <Key extends string, Item>(items: Readonly<Record<Key, Item>>) =>
  Object.entries(items) as [Key, Item][]
