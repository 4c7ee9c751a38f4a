import { type ProblemKind, problemsOfDeletable } from '../../platform/problem.ts'

export const bannerProblems = {
  ...problemsOfDeletable('banner'),
  scheduleInvalid: {
    code: 'BANNER_SCHEDULE_INVALID',
    status: 400,
    title: 'The schedule of the banner is not valid',
    remedy: 'Mend each fault that the answer names.',
  },
  seoNotFound: {
    code: 'BANNER_SEO_NOT_FOUND',
    status: 404,
    title: 'There is no such SEO record',
  },
  // The campaigns capability says the same; it stands on this one, so it can't be asked.
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
    title: 'The site was asked about that banner before',
  },
  invalidTransition: {
    code: 'CREATIVE_APPROVAL_INVALID_TRANSITION',
    status: 400,
    title: 'The approval can not go there from its status',
    remedy: 'Read the status again; revoke a decision before you make another.',
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
    remedy: 'Take it out of the banners that show it first.',
  },
  typeNotAllowed: {
    code: 'ASSET_TYPE_NOT_ALLOWED',
    status: 415,
    title: 'The file is not of a type that banners can show',
    remedy: 'Send a JPEG, PNG, GIF, WebP, SVG or MP4.',
  },
  tooManyPixels: {
    code: 'ASSET_TOO_MANY_PIXELS',
    status: 400,
    title: 'The picture is too large to be shown',
    remedy: 'Send one of at most 16,384 pixels a side and 50 million in all.',
  },
  rangeNotSatisfiable: {
    code: 'ASSET_RANGE_NOT_SATISFIABLE',
    status: 416,
    title: 'The file has no such bytes',
    remedy: 'Ask for bytes that the file has; the detail says how many.',
  },
} satisfies Record<string, ProblemKind>

const referenceProblems = (code: string, name: string) => ({
  notFound: { code: `${code}_NOT_FOUND`, status: 404, title: `There is no such ${name}` },
  externalIdExists: {
    code: `${code}_EXTERNAL_ID_EXISTS`,
    status: 409,
    title: `Another ${name} has that external id`,
  },
})

export const brandProblems = referenceProblems('BRAND', 'brand')
export const categoryProblems = referenceProblems('CATEGORY', 'category')
export const productProblems = referenceProblems('PRODUCT', 'product')
export const seoProblems = referenceProblems('SEO', 'SEO record')
