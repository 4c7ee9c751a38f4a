export { campaignEvents } from './events.ts'
export { ACTIONS as CAMPAIGN_ACTIONS, type CampaignAction, type CampaignState } from './campaign.ts'
export type { CampaignDeps, CampaignEvents } from './operations-campaigns.ts'
export { assignBanner, listAssignments } from './assignments/operations.ts'
export { moveCampaign } from './operations-campaigns.ts'
export { importCampaigns } from './import/operations.ts'
export { getAdvertiserKey, getCampaign, getCampaignKey } from './known.ts'
export {
  bookPlacement,
  getCampaignPlacement,
  listCampaignPlacements,
  presentCampaignPlacement,
  removePlacement,
} from './placements/operations.ts'
export { blockSite } from './site-blocks/operations.ts'
export { adProblems, adSetProblems, advertiserProblems, campaignProblems } from './problems.ts'
export { targetingRule } from './targeting/resources.ts'
export { ad, adSet, advertiser, campaign, sellpage } from './resources.ts'
export { IDLE_TEXT, NOT_CHECKED_TEXT, OTHER_CHANNEL_TEXT, startText } from './delivery.ts'
