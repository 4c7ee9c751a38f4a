import { httpProblems } from '../../platform/http/problems.ts'
import { Problem } from '../../platform/problem.ts'
import type { Actor, Values } from '../../platform/resources/index.ts'
import type { CampaignDeps } from '../campaigns/index.ts'
import { judgeCampaign } from '../decisions/index.ts'
import { type Booking, type BookingFault, type BookingPair, gapsOf, missingOf } from './booking.ts'
import { deleteDraft } from './drafts/store.ts'
import { layOut } from './lay-out.ts'
import { faultsOfPairs, inOrderOf, presentPairs } from './pairs.ts'
import { bookingProblems } from './problems.ts'
import { readPairNames } from './reads.ts'

interface Given {
  readonly booking: Booking
  readonly actor: Actor
}

/** Books a campaign with all its parts, or nothing and every fault. */
export async function bookCampaign(
  deps: CampaignDeps,
  { draftId, ...given }: Given & { readonly starts: boolean; readonly draftId?: string | null },
): Promise<Values> {
  if (draftId) await takeDraft(deps, { draftId, actor: given.actor })
  const { campaign, faults } = await layOut(deps, given)
  if (campaign && faults.length === 0) return campaign
  throw new Problem(
    bookingProblems.refused,
    'Mend these faults and book again.',
    faults.map(inBody),
  )
}

const inBody = ({ path, message }: BookingFault) => ({ path: `body/${path}`, message })

/** A draft is booked once: a second booking of it finds it gone. */
async function takeDraft(
  { db }: CampaignDeps,
  { draftId, actor }: { readonly draftId: string; readonly actor: Actor },
): Promise<void> {
  if (await deleteDraft(db, { publicId: draftId, scope: actor.principal })) return
  throw new Problem(bookingProblems.draftNotFound, draftId)
}

export interface CheckedBooking {
  readonly faults: BookingFault[]
  readonly pairs: BookingPair[]
}

/** Stands in for what is not typed yet, so that everything else can be judged. */
const UNNAMED = { name: 'Unnamed', maxBidMicros: '0' }

/**
 * Books the campaign, starts it, asks the gates of a decision about every banner on every
 * placement, and takes everything back.
 */
export async function checkBooking(
  deps: CampaignDeps,
  { booking, actor }: Given,
): Promise<CheckedBooking> {
  const missing = missingOf(booking)
  if (!booking.campaign.advertiserId) return { faults: missing, pairs: [] }
  const named = { ...booking, campaign: { ...UNNAMED, ...booking.campaign } }
  return rolledBack(deps, async (deps) => {
    const { campaign, faults } = await layOut(deps, { booking: named, actor, starts: true })
    refuseMalformed(faults)
    const found = [...missing, ...faults, ...gapsOf(booking)]
    if (campaign === undefined) return { faults: found, pairs: [] }
    const judged = await judgeCampaign(deps.db, flightOf(campaign, deps.clock.now()))
    const names = await readPairNames(deps.db, judged)
    const pairs = inOrderOf(booking, presentPairs(judged, { campaign: named.campaign, names }))
    return {
      faults: [...found, ...faultsOfPairs(booking, pairs)],
      pairs: pairs.map(({ bannerId, banner, placementId, placement, state, reasons }) => ({
        bannerId,
        bannerTitle: banner.title,
        placementId,
        placementLabel: placement.label,
        state,
        reasons: reasons.map(({ code, message }) => ({ code, message })),
      })),
    }
  })
}

/**
 * A value that could never be one of its kind, or a row that the caller does not have, is no question
 * of booking.
 */
function refuseMalformed(faults: readonly BookingFault[]): void {
  const { invalidRequest } = httpProblems
  const malformed = faults.filter(
    ({ code }) => code === invalidRequest.code || code.endsWith('_NOT_FOUND'),
  )
  if (malformed.length === 0) return
  throw new Problem(invalidRequest, 'Some values are not valid.', malformed.map(inBody))
}

function flightOf({ id, startsAt, endsAt }: Values, now: Date) {
  const from = startsAt instanceof Date && startsAt > now ? startsAt : now
  return {
    campaignKey: Number(id),
    fromMs: from.getTime(),
    untilMs: endsAt instanceof Date ? endsAt.getTime() : undefined,
  }
}

/** Carries the answer out of a transaction that must not commit. */
class TakenBack<Answer> extends Error {
  readonly answer: Answer

  constructor(answer: Answer) {
    super('taken back')
    this.answer = answer
  }
}

async function rolledBack<Answer>(
  deps: CampaignDeps,
  work: (deps: CampaignDeps) => Promise<Answer>,
): Promise<Answer> {
  try {
    return await deps.db.transaction(async (db): Promise<Answer> => {
      throw new TakenBack(await work({ ...deps, db }))
    })
  } catch (error) {
    if (error instanceof TakenBack) return error.answer as Answer
    throw error
  }
}
