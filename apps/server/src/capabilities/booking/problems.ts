import type { ProblemKind } from '../../platform/problem.ts'

export const bookingProblems = {
  refused: {
    code: 'BOOKING_REFUSED',
    status: 400,
    title: 'Nothing was booked',
    remedy:
      'Each fault names the field and what to change. `POST …/campaigns/check` finds them first.',
  },
  notOffered: {
    code: 'PLACEMENT_NOT_OFFERED',
    status: 403,
    title: 'The publisher does not offer this placement to every advertiser',
    remedy: 'Choose an offered placement, or ask ad operations for it in `placementWishes`.',
  },
  bookedDirectly: {
    code: 'DIRECT_BOOKING_BY_SELLER',
    status: 403,
    title: 'Only ad operations book banners directly on a placement',
    remedy: 'Leave `bannerIds` out: your ads take part in the auction there.',
  },
  draftNotFound: {
    code: 'CAMPAIGN_DRAFT_NOT_FOUND',
    status: 404,
    title: 'There is no such draft',
    remedy: 'It was booked or thrown away. Look for its campaign, or begin a new one.',
  },
  tooManyDrafts: {
    code: 'TOO_MANY_CAMPAIGN_DRAFTS',
    status: 409,
    title: 'The account has as many drafts as it can keep',
    remedy: 'First book or throw away one of them.',
  },
  tooLargeToCopy: {
    code: 'CAMPAIGN_TOO_LARGE_TO_COPY',
    status: 409,
    title: 'The campaign has too many ads to be copied at once',
    remedy: 'Copy it without its ads, and import those.',
  },
} satisfies Record<string, ProblemKind>
