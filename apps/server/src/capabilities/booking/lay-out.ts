import { Problem } from '../../platform/problem.ts'
import {
  createRow,
  type Actor,
  type Resource,
  type ResourceDeps,
  type Values,
} from '../../platform/resources/index.ts'
import {
  ad,
  adSet,
  assignBanner,
  bookPlacement,
  campaign,
  type CampaignDeps,
  moveCampaign,
  targetingRule,
} from '../campaigns/index.ts'
import { frequencyCap } from '../frequency/index.ts'
import { adSetsOf, type Booking, type BookingFault, faultsOf } from './booking.ts'
import { refuseUnoffered } from './offers/operations.ts'

interface Parts {
  readonly booking: Booking
  readonly actor: Actor
  /** Start or schedule the campaign at the end. */
  readonly starts: boolean
}

export interface LaidOut {
  /** Undefined if the campaign itself is refused. */
  readonly campaign: Values | undefined
  readonly faults: readonly BookingFault[]
}

/**
 * Creates a campaign with all its parts by the rules that each part always has, and collects what
 * they refuse. The caller keeps it or rolls it back.
 */
export async function layOut(deps: CampaignDeps, parts: Parts): Promise<LaidOut> {
  const work = new Laying(deps, parts.actor)
  const row = await work.add('campaign', campaign, parts.booking.campaign)
  if (row === undefined) return { campaign: undefined, faults: work.faults }

  const campaignId = String(row.publicId)
  await addAds(work, parts.booking, campaignId)
  await addAudience(work, parts.booking, campaignId)
  await addPlacements(work, parts.booking, campaignId)
  const started = parts.starts ? await start(work, row) : undefined
  return { campaign: started ?? row, faults: work.faults }
}

/** Attempts parts one after the other. A refused part leaves no trace but its faults. */
class Laying {
  readonly faults: BookingFault[] = []
  readonly deps: CampaignDeps
  readonly actor: Actor

  constructor(deps: CampaignDeps, actor: Actor) {
    this.deps = deps
    this.actor = actor
  }

  async attempt<Result>(
    path: string,
    work: (deps: CampaignDeps) => Promise<Result>,
  ): Promise<Result | undefined> {
    try {
      return await this.deps.db.transaction((db) => work({ ...this.deps, db }))
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      this.faults.push(...faultsOf(path, error))
      return undefined
    }
  }

  add(path: string, resource: Resource, body: Values): Promise<Values | undefined> {
    const { actor } = this
    return this.attempt(path, (deps: ResourceDeps) => createRow(deps, resource, { body, actor }))
  }
}

async function addAds(work: Laying, booking: Booking, campaignId: string): Promise<void> {
  for (const [name, ads] of adSetsOf(booking)) {
    const set = await work.add(`ads/${ads[0]!.at}`, adSet, { campaignId, name })
    if (set === undefined) continue
    for (const { at, ad: booked } of ads) {
      await work.add(`ads/${at}`, ad, {
        adSetId: set.publicId,
        bannerId: booked.bannerId,
        name: booked.name ?? `${booking.campaign.name ?? name} ${at + 1}`,
        bidMicros: booked.bidMicros ?? booking.campaign.maxBidMicros ?? '1',
      })
    }
  }
}

async function addAudience(work: Laying, booking: Booking, campaignId: string): Promise<void> {
  for (const [at, rule] of (booking.targetingRules ?? []).entries()) {
    await work.add(`targetingRules/${at}`, targetingRule, { ...rule, campaignId })
  }
  for (const [at, cap] of (booking.frequencyCaps ?? []).entries()) {
    await work.add(`frequencyCaps/${at}`, frequencyCap, { ...cap, campaignId })
  }
}

async function addPlacements(work: Laying, booking: Booking, campaignId: string): Promise<void> {
  const { actor } = work
  for (const [at, { placementId, bannerIds = [] }] of (booking.placements ?? []).entries()) {
    const target = { campaignId, placementId, actor }
    await work.attempt(`placements/${at}`, async (deps) => {
      await refuseUnoffered(deps.db, { ...target, isBookedDirectly: bannerIds.length > 0 })
      await bookPlacement(deps, target)
      for (const bannerId of bannerIds) {
        await assignBanner(deps, { ...target, bannerId, fields: {} })
      }
    })
  }
}

function start(work: Laying, { publicId, startsAt }: Values): Promise<Values | undefined> {
  const isLater = startsAt instanceof Date && startsAt > work.deps.clock.now()
  return work.attempt('campaign', (deps) =>
    moveCampaign(deps, {
      publicId: String(publicId),
      actor: work.actor,
      action: isLater ? 'schedule' : 'activate',
    }),
  )
}
