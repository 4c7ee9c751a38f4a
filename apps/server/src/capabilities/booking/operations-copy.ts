import { AssignBanner } from '@placard/contract/assignments'
import { CreateAd, CreateCampaign } from '@placard/contract/campaigns'
import type { TObject } from 'typebox'
import { Problem } from '../../platform/problem.ts'
import {
  createRow,
  getRow,
  heldBack,
  listRows,
  present,
  type Actor,
  type Resource,
  type Values,
} from '../../platform/resources/index.ts'
import {
  ad,
  adSet,
  assignBanner,
  bookPlacement,
  campaign,
  type CampaignDeps,
  listAssignments,
  listCampaignPlacements,
  targetingRule,
} from '../campaigns/index.ts'
import { frequencyCap } from '../frequency/index.ts'
import { mayBook, sells } from './offers/operations.ts'
import { bookingProblems } from './problems.ts'

interface Copying {
  readonly campaignId: string
  readonly name: string
  readonly withAds: boolean
  readonly actor: Actor
}

/** Fields that belong to one campaign only. */
const OWN = new Set(['externalId', 'startsAt', 'endsAt', 'placementWishes'])

/**
 * A new draft like another campaign: its terms, audience, caps and placements, and its ads if
 * wanted. Dates and what a buyer may not write stay behind.
 */
export async function copyCampaign(deps: CampaignDeps, copying: Copying): Promise<Values> {
  const { campaignId, name, actor } = copying
  const original = await getRow(deps.db, campaign, { publicId: campaignId, actor })
  const fields = pick(CreateCampaign, present(campaign, original))
  const sellers = new Set(heldBack(campaign, { body: fields, actor }))
  const body = Object.fromEntries(
    Object.entries(fields).filter(([field]) => !OWN.has(field) && !sellers.has(field)),
  )
  const made = await createRow(deps, campaign, { body: { ...body, name }, actor })
  const copy = new Copy(deps, { ...copying, copyId: String(made.publicId) })
  await copy.audience()
  if (copying.withAds) await copy.ads()
  await copy.placements()
  return made
}

/** What a body may name, as a row has it. Nothing is said about what is empty. */
const pick = ({ properties }: TObject, row: object): Values =>
  Object.fromEntries(
    Object.entries(row).filter(([field, value]) => field in properties && value !== null),
  )

const PAGE = 200
const PARTS_MAX = 1_000

class Copy {
  private readonly deps: CampaignDeps
  private readonly copying: Copying & { readonly copyId: string }

  constructor(deps: CampaignDeps, copying: Copying & { readonly copyId: string }) {
    this.deps = deps
    this.copying = copying
  }

  async audience(): Promise<void> {
    const { copyId } = this.copying
    for (const { ruleType, operator, value, isActive } of await this.list(targetingRule)) {
      const body = { ruleType, operator, value, isActive, campaignId: copyId }
      await this.add(targetingRule, body)
    }
    for (const { maxImpressionsPerUser, window } of await this.list(frequencyCap)) {
      await this.add(frequencyCap, { maxImpressionsPerUser, window, campaignId: copyId })
    }
  }

  async ads(): Promise<void> {
    const sets = new Map<unknown, string>()
    for (const { id, name, status } of (await this.list(adSet)).toReversed()) {
      const made = await this.add(adSet, { campaignId: this.copying.copyId, name, status })
      sets.set(id, String(made.publicId))
    }
    for (const one of (await this.list(ad)).toReversed()) {
      const body = { ...pick(CreateAd, one), externalId: null, adSetId: sets.get(one['adSetId']) }
      const { actor } = this.copying
      await this.unlessGone((deps) => createRow(deps, ad, { body, actor }))
    }
  }

  /** A buyer's copy runs where everybody may book; ad operations add the rest. */
  async placements(): Promise<void> {
    const { campaignId, copyId, actor } = this.copying
    const { db } = this.deps
    const links = await allOf((query) => listCampaignPlacements(db, { campaignId, actor, query }))
    for (const { placementId, isActive } of links.toReversed()) {
      if (!(await mayBook(db, { placementId, actor }))) continue
      const target = { campaignId: copyId, placementId, actor }
      const link = await this.unlessGone((deps) => bookPlacement(deps, { ...target, isActive }))
      if (link !== undefined) await this.assignments(placementId)
    }
  }

  /** Banners booked directly, which only the seller's people may book. */
  private async assignments(placementId: string): Promise<void> {
    const { campaignId, copyId, withAds, actor } = this.copying
    if (!withAds || !sells(actor)) return
    const booked = await allOf((query) =>
      listAssignments(this.deps.db, { campaignId, placementId, actor, query }),
    )
    for (const assignment of booked) {
      const { bannerId, ...fields } = pick(AssignBanner, assignment)
      const target = { campaignId: copyId, placementId, bannerId: String(bannerId), actor }
      await this.unlessGone((deps) => assignBanner(deps, { ...target, fields }))
    }
  }

  private add(resource: Resource, body: Values): Promise<Values> {
    return createRow(this.deps, resource, { body, actor: this.copying.actor })
  }

  /** A banner or a placement that was deleted since is left out. */
  private async unlessGone<Result>(
    work: (deps: CampaignDeps) => Promise<Result>,
  ): Promise<Result | undefined> {
    try {
      return await this.deps.db.transaction((db) => work({ ...this.deps, db }))
    } catch (error) {
      if (error instanceof Problem && error.kind.status === 404) return undefined
      throw error
    }
  }

  /** All rows of the original campaign. */
  private list(resource: Resource): Promise<Values[]> {
    const { campaignId, actor } = this.copying
    const scope = actor.principal
    return allOf((page) => listRows(this.deps, resource, { query: { ...page, campaignId }, scope }))
  }
}

interface PageRead<Row> {
  readonly items: readonly Row[]
  readonly nextCursor?: string
}

/** Page after page, up to as many parts as one copy may have. */
async function allOf<Row>(read: (query: Values) => Promise<PageRead<Row>>): Promise<Row[]> {
  const rows: Row[] = []
  let cursor: string | undefined
  do {
    const page = await read({ limit: PAGE, ...(cursor && { cursor }) })
    rows.push(...page.items)
    cursor = page.nextCursor
    if (rows.length > PARTS_MAX) {
      throw new Problem(bookingProblems.tooLargeToCopy, `It has more than ${PARTS_MAX} parts.`)
    }
  } while (cursor)
  return rows
}
