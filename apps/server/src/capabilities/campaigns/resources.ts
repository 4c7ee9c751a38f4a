import * as contract from '@placard/contract/campaigns'
import type { Database } from '../../platform/database/connect.ts'
import { httpProblems } from '../../platform/http/problems.ts'
import { Problem } from '../../platform/problem.ts'
import { defineResource, type NamedRow, type ReadDeps } from '../../platform/resources/index.ts'
import { accountProblems } from '../accounts/index.ts'
import { accounts } from '../accounts/tables.ts'
import { normaliseDomain, publisherProblems } from '../inventory/index.ts'
import { publishers } from '../inventory/tables.ts'
import { bannerProblems } from '../creatives/index.ts'
import { banners } from '../creatives/tables.ts'
import { channelConnections } from '../channels/tables.ts'
import {
  fitsConnection,
  isOfHouse,
  judgeBid,
  judgeFlight,
  mayDelete,
  needsMaxBid,
} from './campaign.ts'
import {
  carryAdSetDeletion,
  carryCampaignDeletion,
  requestApprovalsOfAd,
} from './operations-contents.ts'
import {
  adProblems,
  adSetProblems,
  advertiserProblems,
  assignmentProblems,
  campaignProblems,
  sellpageProblems,
} from './problems.ts'
import { delivers, readDelivery } from './reads-delivery.ts'
import { CAMPAIGN_ORDERS, matchesCampaign, readCampaignSpend } from './reads-list.ts'
import {
  findConnection,
  findHighestBid,
  findLiveCampaign,
  shareLockAdvertiser,
  shareLockCampaign,
  shareLockCampaignOfAdSet,
  shareLockHomes,
  isBannerOf,
  isBooked,
  isSellpageOf,
  readHouseGround,
  readSpentToday,
} from './store.ts'
import { ads, adSets, advertisers, campaigns, sellpages } from './tables.ts'

export const advertiser = defineResource({
  noun: 'advertiser',
  plural: 'advertisers',
  tag: 'advertisers',
  permission: 'advertisers',
  table: advertisers,
  view: contract.Advertiser,
  create: contract.CreateAdvertiser,
  patch: contract.PatchAdvertiser,
  query: contract.AdvertiserQuery,
  references: {
    accountId: { to: accounts, problem: accountProblems.accountNotFound, givesAccount: true },
    housePublisherId: {
      to: publishers,
      problem: publisherProblems.notFound,
      acrossAccounts: true,
    },
  },
  searches: ['name'],
  figures: {
    fields: ['spentTodayMicros'],
    read: ({ db, clock }, keys) => readSpentToday(db, keys, clock.now()),
  },
  problems: advertiserProblems,
  uniques: {
    advertisers_one_house_key: advertiserProblems.houseExists,
    advertisers_house_publisher_key: advertiserProblems.houseExists,
  },
  async complete(db, row, { before }) {
    if (!before) await refuseUnfitHouse(db, row)
    return row.domain ? { domain: normaliseDomain(row.domain) ?? row.domain } : {}
  },
  check({ domain }) {
    if (!domain || normaliseDomain(domain) !== undefined) return
    const fault = { path: 'body/domain', message: 'must be a host name such as shop.example' }
    throw new Problem(httpProblems.invalidRequest, 'The advertiser is not valid.', [fault])
  },
  async beforeDelete(db, row) {
    if (row.isHouse) throw new Problem(advertiserProblems.isHouse, row.name)
    const live = await findLiveCampaign(db, row.id)
    if (live) {
      throw new Problem(advertiserProblems.hasLiveCampaigns, `First end “${live.name}”.`)
    }
  },
})

type AdvertiserRow = typeof advertisers.$inferSelect

/**
 * An advertiser's own account has no house. A publisher's house is in that publisher's account or
 * in the platform's.
 */
async function refuseUnfitHouse(db: Database, row: AdvertiserRow): Promise<void> {
  const { isHouse, accountId } = row
  const publisherId = row.housePublisherId ?? null
  if (!isHouse && publisherId === null) return
  const { kind, publisherAccountId } = await readHouseGround(db, { accountId, publisherId })
  const isSellers = kind === 'platform' || publisherAccountId === accountId
  if (isHouse && isSellers) return
  throw new Problem(advertiserProblems.houseInvalid, `The account is of kind ${kind}.`)
}

const toAdvertiser = {
  to: advertisers,
  problem: advertiserProblems.notFound,
  givesAccount: true,
}

export const sellpage = defineResource({
  noun: 'sellpage',
  plural: 'sellpages',
  tag: 'campaigns',
  permission: 'campaigns',
  table: sellpages,
  view: contract.Sellpage,
  create: contract.CreateSellpage,
  patch: contract.PatchSellpage,
  query: contract.SellpageQuery,
  searches: ['name'],
  references: { advertiserId: toAdvertiser },
  problems: sellpageProblems,
  async complete(db, row) {
    await refuseDeletedAdvertiser(db, row)
    return {}
  },
})

async function refuseDeletedAdvertiser(
  db: Database,
  { advertiserId }: { advertiserId: bigint },
): Promise<{ readonly isHouse: boolean }> {
  const advertiser = await shareLockAdvertiser(db, advertiserId)
  if (advertiser) return advertiser
  throw new Problem(advertiserProblems.notFound, 'The advertiser is deleted. First restore it.')
}

export const campaign = defineResource({
  noun: 'campaign',
  plural: 'campaigns',
  tag: 'campaigns',
  permission: 'campaigns',
  table: campaigns,
  view: contract.Campaign,
  create: contract.CreateCampaign,
  patch: contract.PatchCampaign,
  query: contract.CampaignQuery,
  references: {
    advertiserId: {
      ...toAdvertiser,
      shows: { advertiserName: 'name', advertiserContact: 'contact', currency: 'currency' },
    },
    sellpageId: { to: sellpages, problem: sellpageProblems.notFound },
    connectionId: { to: channelConnections, problem: campaignProblems.connectionNotFound },
  },
  searches: ['name'],
  searchesFurther: matchesCampaign,
  orders: CAMPAIGN_ORDERS,
  figures: {
    fields: ['spentTodayMicros', 'spentWeekMicros', 'plannedTodayMicros', 'delivery'],
    read: readCampaignFigures,
  },
  filters: { delivery: delivers },
  problems: campaignProblems,
  uniques: { campaigns_external_id_key: campaignProblems.externalIdExists },

  check: checkCampaign,

  isGuarded: (db, { id }, condition) =>
    condition === 'booked' ? isBooked(db, id) : Promise.resolve(true),

  async complete(db, row, { before }) {
    const { advertiserId, sellpageId } = row
    const { isHouse } = await refuseDeletedAdvertiser(db, row)
    if (isOfHouse(row) && !isHouse) {
      throw new Problem(advertiserProblems.notHouse, `The source is ${row.source}.`)
    }
    if (sellpageId && !(await isSellpageOf(db, { sellpageId, advertiserId }))) {
      throw new Problem(sellpageProblems.ofAnotherAdvertiser, 'Choose one of the same advertiser.')
    }
    await refuseUnfitConnection(db, row)
    if (before) await refuseMaxBidBelowAds(db, row)
    return {}
  },

  async beforeDelete(_db, row) {
    if (mayDelete(row)) return
    throw new Problem(
      campaignProblems.invalidTransition,
      `The campaign is ${row.status}. First end or cancel it.`,
    )
  },

  afterChange: (_db, change, deps) => carryCampaignDeletion(deps, change),
})

async function readCampaignFigures({ db, clock }: ReadDeps, keys: readonly bigint[]) {
  const spend = await readCampaignSpend(db, keys, clock.now())
  const delivery = await readDelivery(db, keys)
  return new Map(keys.map((key) => [key, { ...spend.get(key), ...delivery.get(key) }]))
}

type CampaignRow = typeof campaigns.$inferSelect

async function refuseUnfitConnection(db: Database, row: CampaignRow): Promise<void> {
  const { connectionId } = row
  const connection = connectionId && (await findConnection(db, connectionId))
  if (!connection || fitsConnection(row, connection)) return
  throw new Problem(
    campaignProblems.connectionUnfit,
    `Choose an ad account of the same advertiser for the channel ${row.channel}.`,
  )
}

const FLIGHT_FAULTS = {
  'ends-before-it-starts': 'endsAt must be after startsAt.',
  'scheduled-without-start': 'A scheduled campaign needs its startsAt. First unschedule it.',
}

/** Rules that need only the row itself. */
function checkCampaign(row: CampaignRow): void {
  const flight = judgeFlight(row)
  if (flight !== 'in-order') throw new Problem(campaignProblems.dateInvalid, FLIGHT_FAULTS[flight])
  if (needsMaxBid(row)) {
    throw new Problem(
      campaignProblems.maxBidRequired,
      `The source is ${row.source} and the campaign is ${row.status}. Set maxBidMicros above 0.`,
    )
  }
  if (row.targetCpaMicros && row.pricing !== 'cpc') {
    throw new Problem(campaignProblems.targetNeedsClicks, `The campaign pays ${row.pricing}.`)
  }
}

async function refuseMaxBidBelowAds(db: Database, row: CampaignRow): Promise<void> {
  const highest = await findHighestBid(db, row.id)
  if (highest === undefined || judgeBid(highest, row) === 'within') return
  throw new Problem(
    campaignProblems.maxBidBelowAds,
    `An ad bids ${highest} micros. First lower it, or set mayExceedMaxBid.`,
  )
}

const textIn = (body: NamedRow['body'], field: string) => {
  const value = body?.[field]
  return typeof value === 'string' ? value : undefined
}

export const adSet = defineResource({
  noun: 'ad set',
  plural: 'ad sets',
  tag: 'campaigns',
  permission: 'campaigns',
  table: adSets,
  view: contract.AdSet,
  create: contract.CreateAdSet,
  patch: contract.PatchAdSet,
  query: contract.AdSetQuery,
  references: {
    campaignId: { to: campaigns, problem: campaignProblems.notFound, givesAccount: true },
  },
  problems: adSetProblems,
  lockParents: (db, { publicId, body }) =>
    shareLockHomes(db, { adSet: publicId, campaign: textIn(body, 'campaignId') }),
  async complete(db, row) {
    if (await shareLockCampaign(db, row.campaignId)) return {}
    throw new Problem(campaignProblems.notFound, 'The campaign is deleted. First restore it.')
  },
  afterChange: (_db, change, deps) => carryAdSetDeletion(deps, change),
})

export const ad = defineResource({
  noun: 'ad',
  plural: 'ads',
  tag: 'campaigns',
  permission: 'campaigns',
  table: ads,
  view: contract.Ad,
  create: contract.CreateAd,
  patch: contract.PatchAd,
  query: contract.AdQuery,
  references: {
    adSetId: { to: adSets, problem: adSetProblems.notFound, givesAccount: true },
    campaignId: { to: campaigns, problem: campaignProblems.notFound },
    bannerId: { to: banners, problem: bannerProblems.notFound },
  },
  problems: adProblems,
  lockParents: (db, { publicId, body }) =>
    shareLockHomes(db, { ad: publicId, adSet: textIn(body, 'adSetId') }),
  async complete(db, row) {
    const home = await shareLockCampaignOfAdSet(db, row.adSetId)
    if (!home) {
      throw new Problem(adSetProblems.notFound, 'The ad set is deleted. First restore it.')
    }
    if (!(await isBannerOf(db, { ...row, advertiserId: home.advertiserId }))) {
      throw new Problem(
        assignmentProblems.bannerOfAnotherAdvertiser,
        'Choose a banner of the same advertiser.',
      )
    }
    if (judgeBid(row.bidMicros, home) === 'above-maximum') {
      throw new Problem(
        adProblems.bidAboveMaximum,
        `The campaign's maximum is ${home.maxBidMicros} micros, the bid is ${row.bidMicros}.`,
      )
    }
    return { campaignId: home.id }
  },
  async afterChange(_db, { before, after }, deps) {
    if (!before) await requestApprovalsOfAd(deps, after)
  },
})
