import type { ProblemKind } from '../../platform/problem.ts'

export const publisherProblems = {
  notFound: { code: 'PUBLISHER_NOT_FOUND', status: 404, title: 'There is no such publisher' },
  alreadyDeleted: {
    code: 'PUBLISHER_ALREADY_DELETED',
    status: 400,
    title: 'The publisher is already deleted',
  },
  notDeleted: { code: 'PUBLISHER_NOT_DELETED', status: 400, title: 'The publisher is not deleted' },
  inUse: {
    code: 'PUBLISHER_IN_USE',
    status: 409,
    title: 'The publisher still has sites or placements',
    remedy: 'Delete its sites and placements first.',
  },
} satisfies Record<string, ProblemKind>

export const siteProblems = {
  notFound: { code: 'SITE_NOT_FOUND', status: 404, title: 'There is no such site' },
  alreadyDeleted: {
    code: 'SITE_ALREADY_DELETED',
    status: 400,
    title: 'The site is already deleted',
  },
  notDeleted: { code: 'SITE_NOT_DELETED', status: 400, title: 'The site is not deleted' },
  domainExists: {
    code: 'SITE_DOMAIN_EXISTS',
    status: 409,
    title: 'The publisher already has a site on that domain',
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
  notFound: { code: 'PLACEMENT_NOT_FOUND', status: 404, title: 'There is no such placement' },
  alreadyDeleted: {
    code: 'PLACEMENT_ALREADY_DELETED',
    status: 400,
    title: 'The placement is already deleted',
  },
  notDeleted: { code: 'PLACEMENT_NOT_DELETED', status: 400, title: 'The placement is not deleted' },
  slugExists: { code: 'PLACEMENT_SLUG_EXISTS', status: 409, title: 'The slug is already in use' },
  hasActiveAssignments: {
    code: 'PLACEMENT_HAS_ACTIVE_ASSIGNMENTS',
    status: 409,
    title: 'Banners are still assigned to the placement',
    remedy: 'Deactivate or delete its assignments first.',
  },
} satisfies Record<string, ProblemKind>

export const slotProblems = {
  notFound: { code: 'SLOT_NOT_FOUND', status: 404, title: 'There is no such slot' },
  alreadyDeleted: {
    code: 'SLOT_ALREADY_DELETED',
    status: 400,
    title: 'The slot is already deleted',
  },
  notDeleted: { code: 'SLOT_NOT_DELETED', status: 400, title: 'The slot is not deleted' },
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
