import { type ProblemKind, problemsOfDeletable } from '../../platform/problem.ts'

export const advertiserProblems = {
  ...problemsOfDeletable('advertiser'),
  hasLiveCampaigns: {
    code: 'ADVERTISER_HAS_LIVE_CAMPAIGNS',
    status: 409,
    title: 'The advertiser has live campaigns',
    remedy: 'End or cancel its campaigns first.',
  },
  isHouse: {
    code: 'ADVERTISER_IS_HOUSE',
    status: 409,
    title: 'The house advertiser is built in and cannot be deleted',
    remedy: 'Use another advertiser.',
  },
  houseExists: {
    code: 'HOUSE_ADVERTISER_EXISTS',
    status: 409,
    title: 'A house advertiser exists already',
    remedy: 'Use that one. The platform has one, and each publisher may have one.',
  },
  houseInvalid: {
    code: 'HOUSE_ADVERTISER_INVALID',
    status: 400,
    title: 'The advertiser cannot be a house advertiser',
    remedy: 'Use the platform’s account or the account of the publisher in `housePublisherId`.',
  },
  notHouse: {
    code: 'ADVERTISER_NOT_HOUSE',
    status: 409,
    title: 'Only the house advertiser may do this',
    remedy:
      'Use the source `sponsored` or `affiliate` and a banner that is not evergreen, or use a house advertiser.',
  },
} satisfies Record<string, ProblemKind>

export const siteBlockProblems = {
  notFound: {
    code: 'SITE_BLOCK_NOT_FOUND',
    status: 404,
    title: 'The advertiser does not block this site',
  },
} satisfies Record<string, ProblemKind>

export const sellpageProblems = {
  ...problemsOfDeletable('sellpage'),
  ofAnotherAdvertiser: {
    code: 'SELLPAGE_OF_ANOTHER_ADVERTISER',
    status: 409,
    title: 'The sellpage belongs to another advertiser',
    remedy: 'Use a sellpage of the campaign’s advertiser.',
  },
} satisfies Record<string, ProblemKind>

export const campaignProblems = {
  ...problemsOfDeletable('campaign'),
  connectionNotFound: {
    code: 'CONNECTION_NOT_FOUND',
    status: 404,
    title: 'There is no such connection',
  },
  connectionUnfit: {
    code: 'CONNECTION_UNFIT',
    status: 409,
    title: 'The campaign cannot be synced through this connection',
    remedy: 'Use an ad account of the campaign’s advertiser and channel.',
  },
  dateInvalid: {
    code: 'CAMPAIGN_DATE_INVALID',
    status: 400,
    title: 'The dates of the campaign contradict each other',
    remedy: 'Set an end after the start and in the future.',
  },
  invalidTransition: {
    code: 'CAMPAIGN_INVALID_TRANSITION',
    status: 400,
    title: 'The campaign cannot change to that state',
    remedy: 'The detail says what is missing. Reload the campaign and try again.',
  },
  externalIdExists: {
    code: 'CAMPAIGN_EXTERNAL_ID_EXISTS',
    status: 409,
    title: 'The advertiser already has a campaign with this external id on the channel',
  },
  maxBidRequired: {
    code: 'CAMPAIGN_MAX_BID_REQUIRED',
    status: 409,
    title: 'A campaign needs a maximum bid to run, unless it is internal',
    remedy: 'Set `maxBidMicros` first.',
  },
  targetNeedsClicks: {
    code: 'CAMPAIGN_TARGET_NEEDS_CLICKS',
    status: 409,
    title: 'Only a campaign that pays per click can have a target cost per action',
    remedy: 'Set `pricing` to `cpc`, or `targetCpaMicros` to null.',
  },
  maxBidBelowAds: {
    code: 'CAMPAIGN_MAX_BID_BELOW_ADS',
    status: 409,
    title: 'Some ads of the campaign bid above the maximum',
    remedy: 'First lower the bids of its ads.',
  },
} satisfies Record<string, ProblemKind>

export const adSetProblems = {
  ...problemsOfDeletable('ad set'),
} satisfies Record<string, ProblemKind>

export const adProblems = {
  ...problemsOfDeletable('ad'),
  bidAboveMaximum: {
    code: 'AD_BID_ABOVE_MAX',
    status: 409,
    title: 'The bid is above the campaign’s maximum',
    remedy: 'Lower the bid, or raise the campaign’s maximum.',
  },
} satisfies Record<string, ProblemKind>

export const assignmentProblems = {
  houseElsewhere: {
    code: 'HOUSE_OF_ANOTHER_PUBLISHER',
    status: 409,
    title: 'A publisher’s house campaign runs on that publisher’s placements only',
    remedy: 'Choose a placement of the same publisher.',
  },
  notBooked: {
    code: 'CAMPAIGN_PLACEMENT_NOT_FOUND',
    status: 404,
    title: 'The campaign is not booked on this placement',
  },
  booked: {
    code: 'CAMPAIGN_PLACEMENT_ALREADY_EXISTS',
    status: 409,
    title: 'The campaign is already booked on this placement',
  },
  notFound: {
    code: 'BANNER_ASSIGNMENT_NOT_FOUND',
    status: 404,
    title: 'The banner is not assigned to this placement',
  },
  exists: {
    code: 'BANNER_ASSIGNMENT_ALREADY_EXISTS',
    status: 409,
    title: 'The banner is already assigned to this placement',
  },
  bannerOfAnotherAdvertiser: {
    code: 'BANNER_OF_ANOTHER_ADVERTISER',
    status: 409,
    title: 'The banner belongs to another advertiser',
    remedy: 'Use a banner of the campaign’s advertiser.',
  },
} satisfies Record<string, ProblemKind>

export const targetingProblems = {
  notFound: {
    code: 'TARGETING_RULE_NOT_FOUND',
    status: 404,
    title: 'There is no such targeting rule',
  },
  invalidOperator: {
    code: 'TARGETING_RULE_INVALID_OPERATOR',
    status: 400,
    title: 'This type of rule does not have this operator',
    remedy: 'Use an operator that the rule type allows.',
  },
} satisfies Record<string, ProblemKind>
