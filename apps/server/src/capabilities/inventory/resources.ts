import * as contract from '@placard/contract/inventory'
import type { Database } from '../../platform/database/connect.ts'
import { httpProblems } from '../../platform/http/problems.ts'
import { Problem } from '../../platform/problem.ts'
import { defineResource } from '../../platform/resources/index.ts'
import { accountProblems } from '../accounts/index.ts'
import { accounts } from '../accounts/tables.ts'
import { placementProblems, publisherProblems, siteProblems, slotProblems } from './problems.ts'
import { confirmByHand } from './domains/by-hand.ts'
import { forgetCheck } from './domains/store.ts'
import { normaliseDomain } from './domain-name.ts'
import { completePacing, siteFaults } from './site.ts'
import { completeDefault, lockForDefault, passDefaultOn } from './default-publisher.ts'
import {
  hasActiveAssignments,
  hasInventory,
  haveSamePublisher,
  lockLivePublisher,
} from './store.ts'
import { placements, publishers, sites, slots } from './tables.ts'

export const publisher = defineResource({
  noun: 'publisher',
  plural: 'publishers',
  tag: 'publishers',
  permission: 'sites',
  table: publishers,
  view: contract.Publisher,
  create: contract.CreatePublisher,
  patch: contract.PatchPublisher,
  query: contract.PublisherQuery,
  references: {
    accountId: { to: accounts, problem: accountProblems.accountNotFound, givesAccount: true },
  },
  searches: ['name'],
  problems: publisherProblems,
  lockParents: lockForDefault,
  complete: async (db, row, facts) => ({
    ...(row.domain != null && { domain: normaliseDomain(row.domain) ?? row.domain }),
    ...(await completeDefault(db, row, facts)),
  }),
  check({ domain }) {
    if (domain == null || normaliseDomain(domain) !== undefined) return
    throw new Problem(httpProblems.invalidRequest, 'The publisher is not valid.', [
      { path: 'body/domain', message: 'must be a host name such as shop.example' },
    ])
  },
  afterChange: (db, change, { clock }) => passDefaultOn(db, change, clock.now()),
  async beforeDelete(db, { id, name }) {
    if (!(await hasInventory(db, id))) return
    throw new Problem(publisherProblems.inUse, `First delete the sites and placements of ${name}.`)
  },
})

const ofPublisher = { to: publishers, problem: publisherProblems.notFound, givesAccount: true }

export const site = defineResource({
  noun: 'site',
  plural: 'sites',
  tag: 'sites',
  permission: 'sites',
  table: sites,
  view: contract.Site,
  create: contract.CreateSite,
  patch: contract.PatchSite,
  query: contract.SiteQuery,
  references: { publisherId: { ...ofPublisher, shows: { publisherName: 'name' } } },
  searches: ['name', 'domain'],
  problems: siteProblems,
  uniques: {
    sites_domain_key: siteProblems.domainExists,
    sites_proven_domain_key: siteProblems.domainHeld,
  },
  complete: async (_db, { domain: given, pacing }, { before }) => {
    const domain = normaliseDomain(given) ?? given
    const isOther = before !== undefined && before.domain !== domain
    return {
      domain,
      pacing: completePacing(pacing),
      ...(isOther && { domainProvenAt: null, domainProvenBy: null }),
    }
  },
  check(row) {
    const faults = siteFaults(row)
    if (faults.length > 0) {
      throw new Problem(httpProblems.invalidRequest, 'The site is not valid.', faults)
    }
  },
  async afterChange(db, change, { clock }) {
    await refuseOrphans(db, change)
    const { actor, before, after } = change
    if (before?.domain === after.domain) return
    await forgetCheck(db, after.id)
    if (actor.principal.permissions.has('operations:write'))
      await confirmByHand({ db, clock }, after)
  },
})

export const placement = defineResource({
  noun: 'placement',
  plural: 'placements',
  tag: 'placements',
  permission: 'placements',
  table: placements,
  view: contract.Placement,
  create: contract.CreatePlacement,
  patch: contract.PatchPlacement,
  query: contract.PlacementQuery,
  references: { publisherId: { ...ofPublisher, shows: { currency: 'currency' } } },
  searches: ['label', 'slug'],
  problems: placementProblems,
  uniques: { placements_slug_key: placementProblems.slugExists },
  async beforeDelete(db, { id, slug }) {
    if (!(await hasActiveAssignments(db, id))) return
    throw new Problem(
      placementProblems.hasActiveAssignments,
      `First deactivate or delete the banner assignments on ${slug}.`,
    )
  },
  afterChange: refuseOrphans,
})

export const slot = defineResource({
  noun: 'slot',
  plural: 'slots',
  tag: 'slots',
  permission: 'placements',
  table: slots,
  view: contract.Slot,
  create: contract.CreateSlot,
  patch: contract.PatchSlot,
  query: contract.SlotQuery,
  searches: ['name'],
  references: {
    siteId: {
      to: sites,
      problem: siteProblems.notFound,
      givesAccount: true,
      shows: { siteName: 'name' },
    },
    placementId: {
      to: placements,
      problem: placementProblems.notFound,
      shows: { placementSlug: 'slug' },
    },
  },
  problems: slotProblems,
  uniques: { slots_placement_key: slotProblems.exists },
  async afterChange(db, { after }) {
    if (await haveSamePublisher(db, after)) return
    throw new Problem(
      slotProblems.publisherMismatch,
      'Choose a site and a placement of the same publisher.',
    )
  },
})

interface OfPublisher {
  readonly publisherId: bigint
  readonly deletedAt: Date | null
}

/** A restored row needs a publisher that still exists. */
async function refuseOrphans(
  db: Database,
  { before, after }: { before: OfPublisher | undefined; after: OfPublisher },
): Promise<void> {
  const isRestored = before?.deletedAt && !after.deletedAt
  if (!isRestored || (await lockLivePublisher(db, after.publisherId))) return
  throw new Problem(publisherProblems.notFound, 'The publisher is deleted. First restore it.')
}
