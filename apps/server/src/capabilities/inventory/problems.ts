import { type ProblemKind, problemsOfDeletable } from '../../platform/problem.ts'

export const publisherProblems = {
  ...problemsOfDeletable('publisher'),
  inUse: {
    code: 'PUBLISHER_IN_USE',
    status: 409,
    title: 'The publisher still has sites or placements',
    remedy: 'First delete its sites and placements.',
  },
  isDefault: {
    code: 'PUBLISHER_IS_DEFAULT',
    status: 409,
    title: 'One publisher is always the default',
    remedy: 'Make another publisher the default instead.',
  },
} satisfies Record<string, ProblemKind>

export const siteProblems = {
  ...problemsOfDeletable('site'),
  domainExists: {
    code: 'SITE_DOMAIN_EXISTS',
    status: 409,
    title: 'The publisher already has a site on this domain',
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
    title: 'The site does not block this ad product',
  },
  blocklistFull: {
    code: 'AD_PRODUCT_BLOCKLIST_FULL',
    status: 409,
    title: 'The site has reached its limit of blocked ad products',
    remedy: 'First remove an entry from the list.',
  },
} satisfies Record<string, ProblemKind>

export const sellerProblems = {
  unknownSite: {
    code: 'ADS_TXT_SITE_UNKNOWN',
    status: 404,
    title: 'No site with a proven domain has that address',
    remedy: 'Name the site as `?domain=shop.example`, and prove its domain.',
  },
  notSelling: {
    code: 'SELLER_DOMAIN_MISSING',
    status: 404,
    title: 'This platform has not said under which domain it sells',
    remedy: 'Set SELLER_DOMAIN to the domain of the platform.',
  },
} satisfies Record<string, ProblemKind>

export const placementProblems = {
  ...problemsOfDeletable('placement'),
  slugExists: { code: 'PLACEMENT_SLUG_EXISTS', status: 409, title: 'The slug is already in use' },
  hasActiveAssignments: {
    code: 'PLACEMENT_HAS_ACTIVE_ASSIGNMENTS',
    status: 409,
    title: 'Banners are still assigned to the placement',
    remedy: 'First deactivate or delete its assignments.',
  },
} satisfies Record<string, ProblemKind>

export const slotProblems = {
  ...problemsOfDeletable('slot'),
  exists: {
    code: 'SLOT_ALREADY_EXISTS',
    status: 409,
    title: 'The placement already has a slot. A placement can be on one site only',
  },
  publisherMismatch: {
    code: 'SLOT_PUBLISHER_MISMATCH',
    status: 400,
    title: 'Site and placement belong to different publishers',
    remedy: 'Choose a site and a placement of the same publisher.',
  },
} satisfies Record<string, ProblemKind>
