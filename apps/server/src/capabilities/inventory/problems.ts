import { type ProblemKind, problemsOfDeletable } from '../../platform/problem.ts'

export const publisherProblems = {
  ...problemsOfDeletable('publisher'),
  inUse: {
    code: 'PUBLISHER_IN_USE',
    status: 409,
    title: 'The publisher still has sites or placements',
    remedy: 'Delete its sites and placements first.',
  },
} satisfies Record<string, ProblemKind>

export const siteProblems = {
  ...problemsOfDeletable('site'),
  domainExists: {
    code: 'SITE_DOMAIN_EXISTS',
    status: 409,
    title: 'The publisher already has a site on that domain',
  },
  domainHeld: {
    code: 'SITE_DOMAIN_HELD',
    status: 409,
    title: 'Another publisher has proven that domain',
    remedy: 'Ask the operator of the platform, who can take the proof of the other site back.',
  },
  domainUnproven: {
    code: 'SITE_DOMAIN_UNPROVEN',
    status: 409,
    title: 'The domain of the site is not proven',
    remedy:
      'Put the line of `GET /api/v1/admin/sites/{siteId}/domain` into DNS or into the file, and check the domain.',
  },
  noChecks: {
    code: 'SITE_DOMAIN_CHECKS_UNAVAILABLE',
    status: 503,
    title: 'This node cannot order a check',
    remedy: 'Send the request to a node with a job queue.',
  },
  blockNotFound: {
    code: 'AD_PRODUCT_BLOCK_NOT_FOUND',
    status: 404,
    title: 'That ad product is not blocked on the site',
  },
  blocklistFull: {
    code: 'AD_PRODUCT_BLOCKLIST_FULL',
    status: 409,
    title: 'The site blocks as many ad products as it may',
    remedy: 'Take something off the list first.',
  },
} satisfies Record<string, ProblemKind>

export const placementProblems = {
  ...problemsOfDeletable('placement'),
  slugExists: { code: 'PLACEMENT_SLUG_EXISTS', status: 409, title: 'The slug is already in use' },
  hasActiveAssignments: {
    code: 'PLACEMENT_HAS_ACTIVE_ASSIGNMENTS',
    status: 409,
    title: 'Banners are still assigned to the placement',
    remedy: 'Deactivate or delete its assignments first.',
  },
} satisfies Record<string, ProblemKind>

export const slotProblems = {
  ...problemsOfDeletable('slot'),
  exists: {
    code: 'SLOT_ALREADY_EXISTS',
    status: 409,
    title: 'The placement already has a slot: it can be on one site',
  },
  publisherMismatch: {
    code: 'SLOT_PUBLISHER_MISMATCH',
    status: 400,
    title: 'Site and placement belong to different publishers',
    remedy: 'Name a site and a placement of one publisher.',
  },
} satisfies Record<string, ProblemKind>
