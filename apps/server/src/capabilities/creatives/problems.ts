import { type ProblemKind, problemsOfDeletable } from '../../platform/problem.ts'

export const bannerProblems = {
  ...problemsOfDeletable('banner'),
  scheduleInvalid: {
    code: 'BANNER_SCHEDULE_INVALID',
    status: 400,
    title: 'The banner’s schedule is not valid',
    remedy: 'Correct each fault in the answer.',
  },
  seoNotFound: {
    code: 'BANNER_SEO_NOT_FOUND',
    status: 404,
    title: 'There is no such SEO record',
  },
  // Same code as in the campaigns capability, which depends on this one and cannot be imported
  // here.
  advertiserNotFound: {
    code: 'ADVERTISER_NOT_FOUND',
    status: 404,
    title: 'There is no such advertiser',
  },
  notHouse: {
    code: 'ADVERTISER_NOT_HOUSE',
    status: 409,
    title: 'Only the house advertiser may do this',
    remedy:
      'Use the source `sponsored` or `affiliate` and a banner that is not evergreen, or use a house advertiser.',
  },
} satisfies Record<string, ProblemKind>

export const approvalProblems = {
  notFound: {
    code: 'CREATIVE_APPROVAL_NOT_FOUND',
    status: 404,
    title: 'There is no such approval',
  },
  exists: {
    code: 'CREATIVE_APPROVAL_ALREADY_EXISTS',
    status: 409,
    title: 'The site was already asked about this banner',
  },
  invalidTransition: {
    code: 'CREATIVE_APPROVAL_INVALID_TRANSITION',
    status: 400,
    title: 'The approval’s status does not allow this',
    remedy: 'Reload the approval. Revoke the current decision before you make another.',
  },
} satisfies Record<string, ProblemKind>

export const assetProblems = {
  notFound: { code: 'ASSET_NOT_FOUND', status: 404, title: 'There is no such asset' },
  alreadyDeleted: {
    code: 'ASSET_ALREADY_DELETED',
    status: 400,
    title: 'The asset is already deleted',
  },
  inUse: {
    code: 'ASSET_IN_USE',
    status: 409,
    title: 'A banner shows the asset',
    remedy: 'First remove it from the banners that show it.',
  },
  typeNotAllowed: {
    code: 'ASSET_TYPE_NOT_ALLOWED',
    status: 415,
    title: 'Banners cannot show files of this type',
    remedy: 'Send a JPEG, PNG, GIF, WebP, SVG or MP4.',
  },
  tooManyPixels: {
    code: 'ASSET_TOO_MANY_PIXELS',
    status: 400,
    title: 'The picture is too large to show',
    remedy: 'Upload one with at most 16,384 pixels per side and 50 million in total.',
  },
  rangeNotSatisfiable: {
    code: 'ASSET_RANGE_NOT_SATISFIABLE',
    status: 416,
    title: 'The requested range is outside the file',
    remedy: 'Request a range inside the file. The detail has its size.',
  },
} satisfies Record<string, ProblemKind>

export const templateProblems = {
  notFound: {
    code: 'CREATIVE_TEMPLATE_NOT_FOUND',
    status: 404,
    title: 'There is no such template',
  },
  inUse: {
    code: 'CREATIVE_TEMPLATE_IN_USE',
    status: 409,
    title: 'A banner is filled from the template',
    remedy: 'First give those banners another template, or none.',
  },
} satisfies Record<string, ProblemKind>

const referenceProblems = (code: string, name: string) => ({
  notFound: { code: `${code}_NOT_FOUND`, status: 404, title: `There is no such ${name}` },
  externalIdExists: {
    code: `${code}_EXTERNAL_ID_EXISTS`,
    status: 409,
    title: `Another ${name} already has this external id`,
  },
})

export const brandProblems = referenceProblems('BRAND', 'brand')
export const categoryProblems = referenceProblems('CATEGORY', 'category')
export const productProblems = referenceProblems('PRODUCT', 'product')
export const seoProblems = referenceProblems('SEO', 'SEO record')
