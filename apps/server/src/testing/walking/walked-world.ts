import { SWITCHES } from '../../compose/switches.ts'
import { knownId, type Known, type Operation } from './openapi.ts'
import { idIn, operationNamed, type Caller } from './caller.ts'
import type { People, Person } from './people.ts'

export interface World {
  /** Everybody who may see at least part of it: users of the platform, and owners. */
  readonly people: readonly Person[]
  /** Users of other accounts with the owners' roles: they know the ids but own nothing. */
  readonly otherTenants: readonly Person[]
  /** Users of other accounts with rows of their own. */
  readonly neighbours: readonly Person[]
  /** Ids that other tenants must never see. */
  readonly privateIds: readonly string[]
}

/** Who creates the world, in order: later rows need earlier ones. */
const WORLD: readonly (readonly [maker: keyof Makers, ...operations: string[]])[] = [
  [
    'operator',
    'createBrand',
    'createCategory',
    'createProduct',
    'createSeo',
    'createCreativeTemplate',
  ],
  ['publisher', 'createPublisher', 'createSite', 'createPlacement', 'createSlot', 'blockAdProduct'],
  ['operator', 'confirmSiteDomain'],
  ['publisher', 'createPage'],
  ['advertiser', 'createAdvertiser', 'createSellpage', 'createConnection', 'createBackfill'],
  ['advertiser', 'uploadAsset', 'createBanner'],
  ['advertiser', 'createCampaign', 'createAdSet', 'createAd', 'createTargetingRule'],
  ['advertiser', 'createChangeSet'],
  ['advertiser', 'createCampaignDraft'],
  ['advertiser', 'createFrequencyCap', 'blockSite', 'submitCreativeApproval'],
  ['operator', 'linkCampaignPlacement', 'assignBanner', 'createWebhookEndpoint'],
]

/** Unique values differ from the contract's examples, which the walk's calls use. */
const uniqueOf = (name: string): Known => ({
  slug: `${name}-top`,
  domain: `${name}.example`,
  externalId: `${name}-1`,
  file: { type: 'image/png', bytes: PIXEL },
})

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==',
  'base64',
)

/** Creates a row of everything through the documented API, as its owners would; and again for other tenants. */
export async function buildWorld(caller: Caller, people: People): Promise<World> {
  const { operator, adOps, trust, service, otherAdvertiser, otherPublisher } = people
  const { advertiser, publisher } = await populate(caller, people, 'walked')
  const nextDoor = await populate(
    caller,
    { operator, advertiser: otherAdvertiser, publisher: otherPublisher },
    'neighbour',
  )
  return {
    people: [
      ...[operator, adOps, trust, service].map((person) => seeing(person, advertiser.known)),
      advertiser,
      publisher,
    ],
    otherTenants: [
      seeing(otherAdvertiser, advertiser.known),
      seeing(otherPublisher, publisher.known),
    ],
    neighbours: [nextDoor.advertiser, nextDoor.publisher],
    privateIds: [...privateIn(advertiser.known), ...privateIn(publisher.known)],
  }
}

type Makers = Pick<People, 'operator' | 'advertiser' | 'publisher'>

async function populate(caller: Caller, makers: Makers, name: string) {
  let made: Known = {
    switchName: SWITCHES[0]!.name,
    jobName: 'banner.sync_schedule_status',
    'blockAdProduct.category': '1002',
    'unblockAdProduct.category': '1002',
    'createPage.url': `https://${name}.example/news`,
    'servePlacement.slug': `${name}-top`,
    'serveVast.slug': `${name}-top`,
    'serveVmap.slug': `${name}-top`,
    // A banner of its own HTML.
    templateId: null,
    templateValues: null,
    'readBannerCalendar.from': '2026-06-15',
    'serveAd.placement': `${name}-top`,
    'explainOwnCampaign.placement': `${name}-top`,
    'followNews.seconds': '0',
  }
  for (const [maker, ...ids] of WORLD) {
    for (const id of ids) {
      const known = { ...made, ...uniqueOf(name), ...makers[maker].known }
      made = { ...made, ...(await make(caller, makers[maker], { id, known })) }
    }
  }
  made = { ...made, ...(await offered(caller, makers.publisher, { name, made })) }
  return {
    advertiser: await withOwn(caller, makers.advertiser, { ...made, scopes: ['campaigns:read'] }),
    publisher: await withOwn(caller, makers.publisher, { ...made, scopes: ['sites:read'] }),
  }
}

const seeing = (person: Person, known: Known): Person => ({ ...person, known })

async function make(
  caller: Caller,
  maker: Person,
  { id, known }: { id: string; known: Known },
): Promise<Known> {
  const answer = await caller.call(maker, operationNamed(caller, id), known)
  if (answer.statusCode >= 300) throw new Error(`the world lacks ${id}: ${answer.body}`)
  return idIn(id, answer)
}

/** A placement that every advertiser may book, for the routes that do so. */
async function offered(
  caller: Caller,
  publisher: Person,
  { name, made }: { readonly name: string; readonly made: Known },
): Promise<Known> {
  const known = {
    ...made,
    ...publisher.known,
    slug: `${name}-offered`,
    mode: 'auction',
    isOffered: true,
  }
  const { placementId } = await make(caller, publisher, { id: 'createPlacement', known })
  return Object.fromEntries(OFFERED.map((id) => [id, placementId]))
}

const OFFERED = [
  'bookOfferedPlacement.placementId',
  'leaveOfferedPlacement.placementId',
  'getBookablePlacement.placementId',
]

/** Rows that every tenant has, whatever it sells or buys. */
const OWN = ['createApiKey', 'createRecipient', 'createSavedReport', 'createReportExport'] as const

/** Creates these rows for a tenant, and the audit entries that follow. */
async function withOwn(caller: Caller, person: Person, made: Known): Promise<Person> {
  let known: Known = { ...made, ...person.known }
  for (const id of OWN) known = { ...known, ...(await make(caller, person, { id, known })) }
  const log = await caller.call(person, operationNamed(caller, 'listAuditLog'), known)
  const auditRecordId = log.json<{ items: { id: string }[] }>().items[0]!.id
  return { ...person, known: { ...known, auditRecordId, ...(await proposed(caller, person)) } }
}

/** Proposes changes of the seller's fields for the campaign. */
async function proposed(caller: Caller, person: Person): Promise<Known> {
  if (!person.permissions.has('proposals:read')) return {}
  const answer = await caller.call(person, operationNamed(caller, 'listProposals'))
  return { proposalId: answer.json<{ items: { id: string }[] }>().items[0]!.id }
}

/** Readable by everybody: they belong to no account. */
const SHARED = new Set([
  'brandId',
  'categoryId',
  'creativeTemplateId',
  'productId',
  'seoId',
  ...OFFERED,
])

const privateIn = (known: Known): string[] =>
  Object.keys(known)
    .filter((name) => name.endsWith('Id') && !SHARED.has(name))
    .flatMap((name) => knownId(known, name) ?? [])

/** Operations that must come first, where no rule below implies it. */
const FIRST: Readonly<Record<string, readonly string[]>> = {
  createSlot: ['createPlacement'],
  linkCampaignPlacement: ['createPlacement'],
  assignBanner: ['createBanner'],
  submitCreativeApproval: ['createBanner'],
  revokeCreativeApproval: ['approveCreativeApproval'],
  flagCreativeApproval: ['approveCreativeApproval'],
  unflagCreativeApproval: ['approveCreativeApproval', 'flagCreativeApproval'],
  uncorrectPage: ['correctPage'],
  publishChangeSet: ['createChangeSet'],
  undoChangeSet: ['createChangeSet', 'publishChangeSet'],
  leaveOfferedPlacement: ['bookOfferedPlacement'],
  unscheduleCampaign: ['scheduleCampaign'],
  pauseCampaign: ['activateCampaign'],
  endCampaign: ['activateCampaign'],
  deleteAsset: ['uploadAsset'],
  retryDeclaredCountry: ['applyDeclaredCountry'],
  abandonDeclaredCountry: ['applyDeclaredCountry'],
}

/** A row to delete is created first, because the world needs its own; a row to restore is deleted first. */
export function stepsBefore(id: string, operations: readonly Operation[]): readonly string[] {
  const steps = FIRST[id]
  if (steps) return steps
  const [, verb, noun] = /^(delete|restore)([A-Z]\w+)$/.exec(id) ?? []
  if (!verb) return []
  const create = `create${noun}`
  if (!operations.some((operation) => operation.id === create)) return []
  const made = [...stepsBefore(create, operations), create]
  return verb === 'delete' ? made : [...made, `delete${noun}`]
}
