import { type ProblemKind, problemsOfDeletable } from '../../platform/problem.ts'

export const advertiserProblems = {
  ...problemsOfDeletable('advertiser'),
  hasLiveCampaigns: {
    code: 'ADVERTISER_HAS_LIVE_CAMPAIGNS',
    status: 409,
    title: 'The advertiser has campaigns that are not over',
    remedy: 'End or cancel its campaigns first.',
  },
  isHouse: {
    code: 'ADVERTISER_IS_HOUSE',
    status: 409,
    title: 'The house advertiser is built in and stays',
    remedy: 'Leave it; use another advertiser.',
  },
  houseExists: {
    code: 'HOUSE_ADVERTISER_EXISTS',
    status: 409,
    title: 'There is a house advertiser already',
    remedy: 'Use it: the platform has one, and each publisher may have one.',
  },
  houseInvalid: {
    code: 'HOUSE_ADVERTISER_INVALID',
    status: 400,
    title: 'That cannot be a house advertiser',
    remedy:
      'A house belongs to the platform’s account or to a publisher’s, and `housePublisherId` to a house of that publisher.',
  },
  notHouse: {
    code: 'ADVERTISER_NOT_HOUSE',
    status: 409,
    title: 'Only the house advertiser may have that',
    remedy:
      'Use the source `sponsored` or `affiliate`, and no evergreen banner; or a house advertiser.',
  },
} satisfies Record<string, ProblemKind>

export const siteBlockProblems = {
  notFound: {
    code: 'SITE_BLOCK_NOT_FOUND',
    status: 404,
    title: 'The advertiser does not block that site',
  },
} satisfies Record<string, ProblemKind>

export const sellpageProblems = {
  ...problemsOfDeletable('sellpage'),
  ofAnotherAdvertiser: {
    code: 'SELLPAGE_OF_ANOTHER_ADVERTISER',
    status: 409,
    title: 'The sellpage belongs to another advertiser than the campaign',
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
    title: 'The campaign cannot be synced through that connection',
    remedy: 'Use an ad account of the campaign’s advertiser and channel.',
  },
  dateInvalid: {
    code: 'CAMPAIGN_DATE_INVALID',
    status: 400,
    title: 'The dates of the campaign do not fit together',
    remedy: 'Let it start before it ends, and end in the future.',
  },
  invalidTransition: {
    code: 'CAMPAIGN_INVALID_TRANSITION',
    status: 400,
    title: 'The campaign cannot go from its state to that one',
    remedy: 'Read the state again; the detail says what is missing.',
  },
  externalIdExists: {
    code: 'CAMPAIGN_EXTERNAL_ID_EXISTS',
    status: 409,
    title: 'The advertiser has a campaign with that external id on the channel',
  },
  maxBidRequired: {
    code: 'CAMPAIGN_MAX_BID_REQUIRED',
    status: 409,
    title: 'A campaign that is not internal runs only with a maximum bid',
    remedy: 'Set `maxBidMicros` first.',
  },
  maxBidBelowAds: {
    code: 'CAMPAIGN_MAX_BID_BELOW_ADS',
    status: 409,
    title: 'Ads of the campaign bid more than the maximum',
    remedy: 'Lower the bids of its ads first.',
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
    title: 'The bid is above the maximum of the campaign',
    remedy: 'Bid less, or raise the maximum of the campaign.',
  },
} satisfies Record<string, ProblemKind>

export const assignmentProblems = {
  houseElsewhere: {
    code: 'HOUSE_OF_ANOTHER_PUBLISHER',
    status: 409,
    title: 'A publisher’s house runs on that publisher’s placements only',
    remedy: 'Choose a placement of the publisher whose house it is.',
  },
  linkNotFound: {
    code: 'CAMPAIGN_PLACEMENT_NOT_FOUND',
    status: 404,
    title: 'The campaign is not booked on that placement',
  },
  linkExists: {
    code: 'CAMPAIGN_PLACEMENT_ALREADY_EXISTS',
    status: 409,
    title: 'The campaign is already booked on that placement',
  },
  notFound: {
    code: 'BANNER_ASSIGNMENT_NOT_FOUND',
    status: 404,
    title: 'The banner is not assigned there',
  },
  exists: {
    code: 'BANNER_ASSIGNMENT_ALREADY_EXISTS',
    status: 409,
    title: 'The banner is already assigned there',
  },
  bannerOfAnotherAdvertiser: {
    code: 'BANNER_OF_ANOTHER_ADVERTISER',
    status: 409,
    title: 'The banner belongs to another advertiser than the campaign',
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
    title: 'The operator does not go with the type of rule',
    remedy: 'Use an operator that the type of rule knows.',
  },
} satisfies Record<string, ProblemKind>
