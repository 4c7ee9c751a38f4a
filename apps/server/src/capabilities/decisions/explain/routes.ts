import * as contract from '@placard/contract/explain'
import type { Http } from '../../../platform/http/server.ts'
import { callerOf } from '../../../platform/http/access.ts'
import { type ExplainDeps, explainRecord, explainRequest } from './operations.ts'
import { explainOwn, type OwnWhyDeps } from './own.ts'

/** Why an ad was shown or not; under `/api/v1/admin`. */
export function explainRoutes(http: Http, deps: OwnWhyDeps): void {
  explainOwnRoute(http, deps)
  explainRequestRoute(http, deps)
  explainRecordRoute(http, deps)
}

function explainOwnRoute(http: Http, deps: OwnWhyDeps): void {
  http.post(
    '/campaigns/:campaignId/why',
    {
      config: { access: 'campaigns:read' },
      schema: {
        operationId: 'explainOwnCampaign',
        summary: 'Why are this campaign’s ads shown to a reader, or not?',
        description:
          'Decides without holding or recording anything, on a placement that the campaign is booked on. Names what stops each of its own ads, and what the ad of `adId` needs. It says nothing of other advertisers: neither their names nor what they bid.',
        tags: ['campaigns'],
        params: contract.OwnWhyParams,
        body: contract.OwnWhyRequest,
        response: { 200: contract.OwnWhy },
      },
    },
    (request) =>
      explainOwn(deps, callerOf(request), {
        campaignId: request.params.campaignId,
        asked: request.body,
      }),
  )
}

function explainRequestRoute(http: Http, deps: ExplainDeps): void {
  http.post(
    '/decisions/explain',
    {
      config: { access: 'decisions:read' },
      schema: {
        operationId: 'explainDecision',
        summary: 'Why is this request answered as it is?',
        description:
          'Decides without holding or recording anything: every candidate with the gate that stopped it and by how much, the prices with their calculation, and what the ad of `adId` would need to win.',
        tags: ['decisions'],
        body: contract.ExplainRequest,
        response: { 200: contract.Explained },
      },
    },
    (request) => explainRequest(deps, request.body),
  )
}

function explainRecordRoute(http: Http, deps: ExplainDeps): void {
  http.get(
    '/decisions/:decisionId/explain',
    {
      config: { access: 'decisions:read' },
      schema: {
        operationId: 'explainRecordedDecision',
        summary: 'Why was this request answered as it was?',
        description:
          'The record, and the same request decided again on the catalogue of today, with the differences.',
        tags: ['decisions'],
        params: contract.DecisionParams,
        response: { 200: contract.ExplainedRecord },
      },
    },
    (request) => explainRecord(deps, request.params.decisionId),
  )
}
