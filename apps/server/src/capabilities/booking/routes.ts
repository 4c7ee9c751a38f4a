import * as contract from '@placard/contract/booking'
import { Campaign } from '@placard/contract/campaigns'
import { LinkParams, PlacementLink } from '@placard/contract/assignments'
import { pageOf } from '@placard/contract/shared'
import { CampaignParams } from '@placard/contract/targeting'
import { Type } from 'typebox'
import { runCommand } from '../../platform/http/command.ts'
import { pathOf } from '../../platform/http/locations.ts'
import type { Http } from '../../platform/http/server.ts'
import { actorOf, etagOf, present } from '../../platform/resources/index.ts'
import { campaign, type CampaignDeps, presentCampaignPlacement } from '../campaigns/index.ts'
import { draftRoutes } from './drafts/routes.ts'
import { bookOffered, leaveOffered } from './offers/own-placements.ts'
import { getOffer, type OfferDeps, readOffers } from './offers/operations.ts'
import { bookCampaign, checkBooking } from './operations.ts'
import { copyCampaign } from './operations-copy.ts'

export interface BookingDeps extends CampaignDeps, OfferDeps {}

/** Books campaigns with all their parts. The caller gives the prefix. */
export function bookingRoutes(http: Http, deps: BookingDeps): void {
  draftRoutes(http, deps)
  checkRoute(http, deps)
  bookRoute(http, deps)
  offersRoute(http, deps)
  copyRoute(http, deps)
  ownPlacementRoutes(http, deps)
}

const about = (operationId: string, summary: string, description?: string) => ({
  operationId,
  summary,
  ...(description && { description }),
  tags: ['campaigns'],
})

function checkRoute(http: Http, deps: BookingDeps): void {
  http.post(
    '/campaigns/check',
    {
      config: { access: 'campaigns:write' },
      schema: {
        ...about(
          'checkCampaign',
          'Would this campaign be booked, and where would it be shown?',
          'Books it, asks the gates that decide ad requests about each banner on each placement, and takes everything back. Fields may still be missing.',
        ),
        body: contract.CheckCampaign,
        response: { 200: contract.CampaignCheck },
      },
    },
    (request) => checkBooking(deps, { booking: request.body, actor: actorOf(request) }),
  )
}

function bookRoute(http: Http, deps: BookingDeps): void {
  http.post(
    '/campaigns/book',
    {
      config: { access: 'campaigns:write' },
      schema: {
        ...about(
          'bookCampaign',
          'Book a campaign with all its parts: all of them, or nothing and every fault',
        ),
        body: contract.BookCampaign,
        response: { 201: Campaign },
      },
    },
    (request, reply) =>
      runCommand(deps, { request, reply }, async (db) => {
        const { starts = false, draftId = null, ...booking } = request.body
        const actor = actorOf(request)
        const row = await bookCampaign({ ...deps, db }, { booking, starts, draftId, actor })
        const location = pathOf(request).replace(/book$/, String(row.publicId))
        return {
          status: 201,
          headers: { ...etagOf(row), location },
          body: present(campaign, row),
        }
      }),
  )
}

function offersRoute(http: Http, deps: BookingDeps): void {
  http.get(
    '/bookable-placements',
    {
      config: { access: 'campaigns:read' },
      schema: {
        ...about(
          'searchBookablePlacements',
          'Find placements with size, floor, and the traffic and price of the last 28 days',
          'Buyers see those that publishers offer to every advertiser; ad operations see all.',
        ),
        querystring: contract.BookablePlacementQuery,
        response: { 200: pageOf(contract.BookablePlacement) },
      },
    },
    (request) => readOffers(deps, { query: request.query, actor: actorOf(request) }),
  )
  http.get(
    '/bookable-placements/:placementId',
    {
      config: { access: 'campaigns:read' },
      schema: {
        ...about('getBookablePlacement', 'Read a placement that you may book'),
        params: contract.BookablePlacementParams,
        response: { 200: contract.BookablePlacement },
      },
    },
    (request) => getOffer(deps, { ...request.params, actor: actorOf(request) }),
  )
}

function copyRoute(http: Http, deps: BookingDeps): void {
  http.post(
    '/campaigns/:campaignId/copy',
    {
      config: { access: 'campaigns:write' },
      schema: {
        ...about(
          'copyCampaign',
          'Copy a campaign to a new draft, with or without its ads',
          'Takes its terms, audience, caps and placements, but not its dates. What only ad operations may set, or book, stays behind for everybody else.',
        ),
        params: CampaignParams,
        body: contract.CopyCampaign,
        response: { 201: Campaign },
      },
    },
    (request, reply) =>
      runCommand(deps, { request, reply }, async (db) => {
        const { name, withAds = true } = request.body
        const { campaignId } = request.params
        const copying = { campaignId, name, withAds, actor: actorOf(request) }
        const row = await copyCampaign({ ...deps, db }, copying)
        const location = pathOf(request).replace(/[^/]+\/copy$/, String(row.publicId))
        const headers = { ...etagOf(row), location }
        return { status: 201, headers, body: present(campaign, row) }
      }),
  )
}

/** A buyer books and leaves offered placements of a campaign without ad operations. */
function ownPlacementRoutes(http: Http, deps: BookingDeps): void {
  const url = '/campaigns/:campaignId/offered-placements/:placementId'
  http.put(
    url,
    {
      config: { access: 'campaigns:write' },
      schema: {
        ...about('bookOfferedPlacement', 'Let a campaign run on a placement offered to everybody'),
        params: LinkParams,
        response: { 200: PlacementLink },
      },
    },
    (request, reply) =>
      runCommand(deps, { request, reply }, async (db) => {
        const target = { ...request.params, actor: actorOf(request) }
        const booking = await bookOffered({ ...deps, db }, target)
        return {
          status: 200,
          headers: etagOf(booking),
          body: presentCampaignPlacement(booking),
        }
      }),
  )
  http.delete(
    url,
    {
      config: { access: 'campaigns:write' },
      schema: {
        ...about('leaveOfferedPlacement', 'Take a campaign off a placement offered to everybody'),
        params: LinkParams,
        response: { 204: Type.Null() },
      },
    },
    (request, reply) =>
      runCommand(deps, { request, reply }, async (db) => {
        await leaveOffered({ ...deps, db }, { ...request.params, actor: actorOf(request) })
        return { status: 204 }
      }),
  )
}
