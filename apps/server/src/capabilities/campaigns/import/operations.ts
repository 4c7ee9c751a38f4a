import { httpProblems } from '../../../platform/http/problems.ts'
import { Problem, type Fault } from '../../../platform/problem.ts'
import {
  heldBack,
  insertRows,
  newRow,
  type Actor,
  type ResourceDeps,
  type Values,
} from '../../../platform/resources/index.ts'
import { type ConnectionFacts, fitsConnection, isOfHouse, judgeFlight } from '../campaign.ts'
import { advertiserProblems, campaignProblems, sellpageProblems } from '../problems.ts'
import { campaign } from '../resources.ts'
import {
  shareLockAdvertisersNamed,
  shareLockConnectionsNamed,
  shareLockSellpagesNamed,
  listTakenExternalIds,
} from './store.ts'
import { campaigns } from '../tables.ts'

type CampaignRow = typeof campaigns.$inferSelect

/** Creates many drafts in a few statements: all of them, or none and every fault with its row. */
export async function importCampaigns(
  deps: ResourceDeps,
  { bodies, actor }: { bodies: readonly Values[]; actor: Actor },
): Promise<readonly string[]> {
  const book = await lookUp(deps, { bodies, actor })
  const rows: Values[] = []
  const faults: Fault[] = []
  for (const [index, body] of bodies.entries()) {
    const { row, found } = draft(deps, book, { body, actor })
    rows.push(row)
    for (const { field, message } of found) {
      faults.push({ path: `body/campaigns/${index}/${field}`, message })
    }
  }
  if (faults.length > 0) {
    throw new Problem(httpProblems.invalidRequest, 'Nothing was imported.', faults)
  }

  await insertRows(deps.db, campaigns, rows)
  const ids = rows.map(({ publicId }) => String(publicId))
  await deps.audit(deps.db, {
    actor,
    accountId: actor.principal.accountId,
    action: 'campaign.import',
    entity: 'campaign import',
    entityId: deps.ids.next(),
    after: { ids },
  })
  return ids
}

interface Owner {
  readonly id: bigint
  readonly accountId: bigint
  readonly isHouse: boolean
}

/** What the rows name, read once for all of them. */
interface Book {
  readonly advertisers: ReadonlyMap<string, Owner>
  readonly sellpages: ReadonlyMap<string, { readonly id: bigint; readonly advertiserId: bigint }>
  readonly connections: ReadonlyMap<string, ConnectionFacts & { readonly id: bigint }>
  /** Grows row by row, so that a row is also compared with those before it. */
  readonly takenExternalIds: Set<string>
}

async function lookUp(
  { db }: ResourceDeps,
  { bodies, actor }: { bodies: readonly Values[]; actor: Actor },
): Promise<Book> {
  const scope = actor.principal
  const advertisers = await shareLockAdvertisersNamed(db, {
    publicIds: named(bodies, 'advertiserId'),
    scope,
  })
  const sellpages = await shareLockSellpagesNamed(db, {
    publicIds: named(bodies, 'sellpageId'),
    scope,
  })
  const connections = await shareLockConnectionsNamed(db, {
    publicIds: named(bodies, 'connectionId'),
    scope,
  })
  const taken = await listTakenExternalIds(db, named(bodies, 'externalId'))
  return {
    advertisers: new Map(advertisers.map((row) => [row.publicId, row])),
    sellpages: new Map(sellpages.map((row) => [row.publicId, row])),
    connections: new Map(connections.map((row) => [row.publicId, row])),
    takenExternalIds: new Set(taken.map(duplicateKey)),
  }
}

const named = (bodies: readonly Values[], field: string): string[] => [
  ...new Set(bodies.map((body) => body[field]).filter((value) => typeof value === 'string')),
]

const duplicateKey = (row: Pick<CampaignRow, 'advertiserId' | 'channel' | 'externalId'>) =>
  `${row.advertiserId} ${row.channel} ${row.externalId}`

interface Found {
  readonly field: string
  readonly message: string
}

function draft(
  deps: ResourceDeps,
  book: Book,
  { body, actor }: { body: Values; actor: Actor },
): { row: Values; found: readonly Found[] } {
  const owner = book.advertisers.get(String(body.advertiserId))
  const sellpage = book.sellpages.get(String(body.sellpageId))
  const connection = book.connections.get(String(body.connectionId))
  const values = {
    advertiserId: owner?.id,
    sellpageId: sellpage?.id ?? null,
    connectionId: connection?.id ?? null,
  }
  const row = newRow(deps, campaign, {
    body,
    actor,
    named: { values, accountId: owner?.accountId },
  })

  const found: Found[] = sellersFaults(body, actor)
  if (owner && isOfHouse(row as CampaignRow) && !owner.isHouse) {
    found.push({ field: 'source', message: advertiserProblems.notHouse.title })
  }
  if (!owner) found.push({ field: 'advertiserId', message: advertiserProblems.notFound.title })
  if (body.sellpageId && !sellpage) {
    found.push({ field: 'sellpageId', message: sellpageProblems.notFound.title })
  }
  if (owner && sellpage && sellpage.advertiserId !== owner.id) {
    found.push({ field: 'sellpageId', message: sellpageProblems.ofAnotherAdvertiser.title })
  }
  if (body.connectionId && !connection) {
    found.push({ field: 'connectionId', message: campaignProblems.connectionNotFound.title })
  }
  if (owner && connection && !fitsConnection(row as CampaignRow, connection)) {
    found.push({ field: 'connectionId', message: campaignProblems.connectionUnfit.title })
  }
  if (isDuplicate(book, row as CampaignRow)) {
    found.push({ field: 'externalId', message: campaignProblems.externalIdExists.title })
  }
  return { row, found: [...found, ...flightFaults(row as CampaignRow)] }
}

/**
 * Nobody could decide on a proposal per row of a long import, so an import refuses these fields.
 */
const sellersFaults = (body: Values, actor: Actor): Found[] =>
  heldBack(campaign, { body, actor }).map((field) => ({
    field,
    message: 'is set by ad operations. Leave it out and propose it for the campaign later',
  }))

/** Records the row's external id. True if it was already taken. */
function isDuplicate({ takenExternalIds }: Book, row: CampaignRow): boolean {
  if (!row.externalId) return false
  const key = duplicateKey(row)
  const isTaken = takenExternalIds.has(key)
  takenExternalIds.add(key)
  return isTaken
}

/** A draft has only one rule: its dates. */
const flightFaults = (row: CampaignRow): Found[] =>
  judgeFlight(row) === 'in-order' ? [] : [{ field: 'endsAt', message: 'must be after startsAt' }]
