import type { BidRequest, Imp } from '@placard/contract/openrtb'
import type { Placement } from '@placard/decision-engine'
import type { ProductsOfCategories } from '../../contextual/index.ts'
import type { Content, DoorAsk, PlacementContent, Publisher } from '../../decisions/index.ts'
import { microsOf } from '../shared/amounts.ts'
import { blockedDomains, DEFAULT_TAXONOMY } from './blocks.ts'
import { type Deals, dealsOf, isInCurrency } from './deals.ts'
import { fieldAt } from './fields.ts'
import { limitsOf } from './limits.ts'
import type { RequestedMedia } from './media.ts'
import { mediaOf } from './media-of.ts'
import type { Refusal } from './no-bid.ts'
import {
  isOurForm,
  OWN_SEAT,
  type PlacementName,
  placementNamesOf,
  publisherNameOf,
} from './place.ts'

/** What the door knows when it reads a request. */
export interface Ground {
  readonly content: Content
  findPlacement(slug: string): Placement | undefined
  findPublisher(publicId: string): Publisher | undefined
  readonly productsOf: ProductsOfCategories
  /** Whether the caller's key belongs to this account. */
  ownsAccount(accountKey: number): boolean
  /** The address of our own links is https. */
  readonly isSecure: boolean
}

/** One impression as a question to the engine. */
export interface Question {
  readonly imp: Imp
  readonly seat: string
  readonly placement: PlacementContent
  readonly media: readonly RequestedMedia[]
  readonly deals: Deals | undefined
  readonly ask: DoorAsk
}

export interface Refused {
  readonly imp: Imp
  readonly seat: string
  readonly refusal: Refusal
  /** For whoever integrates, where they can mend it. */
  readonly message?: string | undefined
}

export const isRefused = (one: Question | Refused): one is Refused => 'refusal' in one

/** Impressions of one request that are answered. */
const IMPS_MAX = 50

export const tooMany = ({ imp }: BidRequest): number => Math.max(0, imp.length - IMPS_MAX)

/** What all impressions of a request share. */
interface Shared {
  readonly request: BidRequest
  readonly publisherName: string | undefined
  readonly domains: ReadonlySet<string> | undefined
  readonly products: ReadonlySet<string> | undefined
  readonly currencies: ReadonlySet<string> | undefined
}

/** Every impression as a question, or why it is none. Pure. */
export function questionsOf(request: BidRequest, ground: Ground): readonly (Question | Refused)[] {
  const { bcat = [], cattax = DEFAULT_TAXONOMY, cur = [] } = request
  const shared = {
    request,
    publisherName: publisherNameOf(request),
    domains: blockedDomains(request),
    products: bcat.length === 0 ? undefined : ground.productsOf(bcat, cattax),
    currencies: cur.length === 0 ? undefined : new Set(cur.map((one) => one.toUpperCase())),
  }
  let currency: string | undefined
  return request.imp.slice(0, IMPS_MAX).map((imp) => {
    const found = questionOf(imp, shared, ground)
    if (isRefused(found)) return found
    // One answer has one currency: that of its first impression.
    currency ??= found.placement.currency
    if (found.placement.currency === currency) return found
    return { imp, seat: found.seat, refusal: 'currency' as const }
  })
}

function questionOf(imp: Imp, shared: Shared, ground: Ground): Question | Refused {
  const found = findPlaced(imp, ground)
  if ('refusal' in found) return found
  const { seat, record, placement } = found
  const refuse = (refusal: Refusal, message?: string) => ({ imp, seat, refusal, message })
  if (!isPublishers(placement, shared.publisherName, ground)) {
    return refuse('wrong-publisher', WRONG_PUBLISHER)
  }
  const { currency } = placement
  if (shared.currencies?.has(currency) === false) return refuse('currency')
  if (!isInCurrency(imp.bidfloor, imp.bidfloorcur, currency)) return refuse('currency')
  const media = mediaOf(imp)
  if (media.length === 0) {
    return imp.native === undefined ? refuse('media-type') : refuse('bad-native', BAD_NATIVE)
  }
  const { campaignsOfContract } = ground.content
  const deals = dealsOf(imp, { campaignsOfContract, currency })
  const ask = askOf(imp, { shared, ground, media, deals, record })
  return { imp, seat, placement, media, deals, ask }
}

const BAD_NATIVE = 'native.request must be JSON text with at least one asset that has an id.'

const WRONG_PUBLISHER =
  'The placement does not belong to the publisher of the request. Use the id of its publisher, or none.'

interface Placed {
  readonly record: Placement
  readonly placement: PlacementContent
  readonly seat: string
}

function findPlaced(imp: Imp, { content, findPlacement }: Ground): Placed | Refused {
  let first: PlacementName | undefined
  for (const name of placementNamesOf(imp)) {
    first ??= name
    const record = findPlacement(name.slug)
    const placement = record && content.placements.get(record.key)
    if (record !== undefined && placement !== undefined) {
      return { record, placement, seat: name.seat }
    }
  }
  const { slug, seat } = first ?? { slug: imp.id, seat: OWN_SEAT }
  const message = `No active placement has the slug "${slug.slice(0, 100)}".`
  return { imp, seat, refusal: 'unknown-placement', message }
}

/** An id of ours must own the placement. A foreign one counts only with a key that does. */
function isPublishers(
  { publisherKey, accountKey }: PlacementContent,
  name: string | undefined,
  ground: Ground,
): boolean {
  if (name === undefined) return true
  if (!isOurForm(name)) return ground.ownsAccount(accountKey)
  return ground.findPublisher(name.toLowerCase())?.key === publisherKey
}

interface Asking {
  readonly shared: Shared
  readonly ground: Ground
  readonly media: readonly RequestedMedia[]
  readonly deals: Deals | undefined
  readonly record: Placement
}

function askOf(imp: Imp, { shared, ground, media, deals, record }: Asking): DoorAsk {
  const { source, badv } = shared.request
  const floorMicros = microsOf(imp.bidfloor) || undefined
  const limiting = {
    media,
    floorMicros,
    deals,
    blockedDomains: shared.domains,
    blockedProducts: shared.products,
    needsHttps: imp.secure === 1 && ground.isSecure,
  }
  return {
    placement: record,
    limits: limitsOf(ground.content, limiting),
    floorMicros: privateFloor(deals, floorMicros),
    bannersMax: 1,
    asked: {
      place: imp.id,
      supplyChain: supplyChainOf(source?.schain ?? fieldAt(source?.ext, 'schain')),
      said: saidOf(media, badv),
    },
  }
}

const BLOCKS_KEPT = 100

/** Nothing for one banner: its limits say everything, and a record is written for every impression. */
function saidOf(media: readonly RequestedMedia[], badv: readonly string[] = []) {
  if (badv.length === 0 && media.every(({ type }) => type === 'banner')) return undefined
  return {
    media: media.map(({ asked }) => asked),
    ...(badv.length > 0 && { badv: badv.slice(0, BLOCKS_KEPT) }),
  }
}

/**
 * Bids of an auction know only the floor of the request: in a private auction it is the highest of
 * its deals, so that none of them is undercut.
 */
function privateFloor(deals: Deals | undefined, floorMicros: number | undefined) {
  if (deals?.isPrivate !== true) return floorMicros
  const floors = [...deals.byCampaign.values()].map((deal) => deal.floorMicros)
  return Math.max(floorMicros ?? 0, ...floors)
}

const NODES_MAX = 10

/** Kept with the record: at most ten nodes. */
function supplyChainOf(schain: unknown): unknown {
  const nodes = fieldAt(schain, 'nodes')
  if (!Array.isArray(nodes)) return undefined
  return { complete: fieldAt(schain, 'complete'), nodes: nodes.slice(0, NODES_MAX).map(nodeOf) }
}

const nodeOf = (node: unknown) => {
  const kept = (name: string) => {
    const value = fieldAt(node, name)
    return typeof value === 'string' ? value.slice(0, 100) : undefined
  }
  return { asi: kept('asi'), sid: kept('sid'), hp: fieldAt(node, 'hp') === 1 ? 1 : 0 }
}
