import type * as accounts from '@placard/contract/accounts'
import type * as assignments from '@placard/contract/assignments'
import type * as booking from '@placard/contract/booking'
import type * as budgets from '@placard/contract/budgets'
import type * as campaigns from '@placard/contract/campaigns'
import type * as changeSets from '@placard/contract/change-sets'
import type * as channels from '@placard/contract/channels'
import type * as contextual from '@placard/contract/contextual'
import type * as creatives from '@placard/contract/creatives'
import type * as firstSteps from '@placard/contract/first-steps'
import type * as factors from '@placard/contract/factors'
import type * as frequency from '@placard/contract/frequency'
import type * as identityProviders from '@placard/contract/identity-providers'
import type * as inventory from '@placard/contract/inventory'
import type * as proposals from '@placard/contract/proposals'
import type * as learning from '@placard/contract/learning'
import type * as reports from '@placard/contract/reports'
import type * as tracking from '@placard/contract/tracking'
import type * as targeting from '@placard/contract/targeting'
import type { Static } from 'typebox'

/** The contract's types, as JSON. */
export type Me = Static<typeof accounts.Me>
export type SignInOptions = Static<typeof accounts.SignInOptions>
export type FirstSteps = Static<typeof firstSteps.FirstSteps>
export type Factor = Static<typeof factors.Factor>
export type OwnFactors = Static<typeof factors.OwnFactors>
export type NewAuthenticator = Static<typeof factors.NewAuthenticator>
export type NewPasskey = Static<typeof factors.NewPasskey>
export type PasskeyChallenge = Static<typeof factors.PasskeyChallenge>
export type AddedFactor = Static<typeof factors.AddedFactor>
export type NewRecoveryCodes = Static<typeof factors.NewRecoveryCodes>
export type ExternalIdentities = Static<typeof identityProviders.ExternalIdentities>
export type Account = Static<typeof accounts.Account>
export type AuditRecord = Static<typeof accounts.AuditRecord>
export type Advertiser = Static<typeof campaigns.Advertiser>
export type Campaign = Static<typeof campaigns.Campaign>
export type ChangeSet = Static<typeof changeSets.ChangeSet>
export type ChangeSetRow = Static<typeof changeSets.ChangeSetRow>
export type CreateChangeSet = Static<typeof changeSets.CreateChangeSet>
export type Sellpage = Static<typeof campaigns.Sellpage>
export type AdSet = Static<typeof campaigns.AdSet>
export type Ad = Static<typeof campaigns.Ad>
export type CampaignDraft = Static<typeof booking.CampaignDraft>
export type CampaignCheck = Static<typeof booking.CampaignCheck>
export type BookingFault = Static<typeof booking.BookingFault>
export type BookablePlacement = Static<typeof booking.BookablePlacement>
export type Proposal = Static<typeof proposals.Proposal>
export type PlacementLink = Static<typeof assignments.PlacementLink>
export type Assignment = Static<typeof assignments.Assignment>
export type TargetingRule = Static<typeof targeting.TargetingRule>
export type FrequencyCap = Static<typeof frequency.FrequencyCap>
export type BudgetPacer = Static<typeof budgets.BudgetPacer>
export type Banner = Static<typeof creatives.Banner>
export type BannerCalendar = Static<typeof creatives.BannerCalendar>
export type Approval = Static<typeof creatives.Approval>
export type Asset = Static<typeof creatives.Asset>
export type Publisher = Static<typeof inventory.Publisher>
export type Site = Static<typeof inventory.Site>
export type AdProducts = Static<typeof contextual.AdProducts>
export type SiteDomain = Static<typeof inventory.SiteDomain>
export type PageBuyers = Static<typeof contextual.PageBuyers>
export type SitePage = Static<typeof contextual.SitePage>
export type ContentCategories = Static<typeof contextual.ContentCategories>
export type SiteRanker = Static<typeof contextual.SiteRanker>
export type Crawl = Static<typeof contextual.Crawl>
export type Slot = Static<typeof inventory.Slot>
export type Placement = Static<typeof inventory.Placement>
export type Report = Static<typeof reports.Report>
export type CampaignDelivery = Static<typeof tracking.CampaignDelivery>
export type CampaignLearning = Static<typeof learning.CampaignLearning>
export type Alert = Static<typeof channels.Alert>
export type Connection = Static<typeof channels.Connection>
export type SellpageStats = Static<typeof channels.SellpageStats>

export interface PageOf<Row> {
  readonly items: Row[]
  readonly nextCursor?: string
}
