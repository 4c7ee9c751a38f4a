import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/connect.ts'
import type { Ids } from '../../../platform/ids.ts'
import { notifyInterested } from '../../notices/index.ts'
import { type ClaimedDomain, judgeSighting, type Sighting } from './domain.ts'
import {
  type Claim,
  findCheck,
  findClaim,
  isHeldByAnother,
  lockClaim,
  saveCheck,
  saveProof,
} from './store.ts'

export interface CheckDeps {
  readonly db: Database
  readonly clock: Clock
  readonly ids: Ids
  look(claim: ClaimedDomain): Promise<Sighting>
}

const HELD = 'Another publisher has proven this domain. Ask the operator of the platform.'

/** Looks whether the line is there, outside any transaction, and keeps what was found. */
export async function checkDomain(deps: CheckDeps, siteId: bigint): Promise<void> {
  const claim = await findClaim(deps.db, siteId)
  if (!claim) return
  const sighting = await deps.look(claim)
  await deps.db.transaction((db) => keepSighting({ ...deps, db }, claim, sighting))
}

async function keepSighting(deps: CheckDeps, claim: Claim, found: Sighting): Promise<void> {
  const { db, clock } = deps
  const now = clock.now()
  const current = await lockClaim(db, claim.id)
  // The domain was changed, confirmed or withdrawn while we looked.
  if (current?.domain !== claim.domain || current.provenBy !== claim.provenBy) return
  const isHeld = found.proof !== undefined && (await isHeldByAnother(db, claim))
  const sighting: Sighting = isHeld ? { proof: undefined, faults: [HELD] } : found
  const check = await findCheck(db, claim.id)
  const before = { looks: 0, failingSince: null, ...check, provenBy: claim.provenBy }
  const { becomes, ...verdict } = judgeSighting(before, sighting, now)
  if (becomes !== undefined) {
    await saveProof(db, claim.id, { provenBy: becomes === 'unproven' ? null : becomes, now })
  }
  const faults = [...sighting.faults]
  await saveCheck(db, { siteId: claim.id, checkedAt: now, ...verdict, faults })
  if (becomes === 'unproven') await tellOfLoss(deps, claim, { faults, now })
}

const tellOfLoss = (
  deps: CheckDeps,
  { publicId, name, domain, accountId }: Claim,
  { faults, now }: { faults: readonly string[]; now: Date },
) =>
  notifyInterested(
    deps,
    {
      topic: 'site-domain',
      key: `site-domain:${publicId}:${now.toISOString().slice(0, 10)}`,
      subject: `${domain} is no longer proven`,
      words:
        `${name} shows no ads and its pages are not read until its domain is proven again. ` +
        `${faults.join(' ')} The page of the site has the line to put there.`,
      data: { siteId: publicId, domain, faults },
    },
    accountId,
  )
