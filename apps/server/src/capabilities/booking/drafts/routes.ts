import * as contract from '@placard/contract/booking'
import { pageOf } from '@placard/contract/shared'
import { Type } from 'typebox'
import { runCommand } from '../../../platform/http/command.ts'
import type { Http } from '../../../platform/http/server.ts'
import {
  actorOf,
  etagOf,
  expectedVersionOf,
  type ResourceDeps,
} from '../../../platform/resources/index.ts'
import {
  changeDraft,
  getDraft,
  keepDraft,
  presentDraft,
  readDrafts,
  throwAwayDraft,
} from './operations.ts'

const READ = { access: 'campaigns:read' } as const
const WRITE = { access: 'campaigns:write' } as const
const LIST = '/campaign-drafts'
const ONE = `${LIST}/:campaignDraftId` as const

const about = (operationId: string, summary: string) => ({
  operationId,
  summary,
  tags: ['campaigns'],
})

export function draftRoutes(http: Http, deps: ResourceDeps): void {
  http.get(
    LIST,
    {
      config: READ,
      schema: {
        ...about('listCampaignDrafts', 'List the bookings of your account that are not finished'),
        querystring: contract.DraftQuery,
        response: { 200: pageOf(contract.CampaignDraft) },
      },
    },
    (request) => readDrafts(deps, { query: request.query, actor: actorOf(request) }),
  )
  http.get(
    ONE,
    {
      config: READ,
      schema: {
        ...about('getCampaignDraft', 'Read an unfinished booking'),
        params: contract.DraftParams,
        response: { 200: contract.CampaignDraft },
      },
    },
    async (request, reply) => {
      const target = { publicId: request.params.campaignDraftId, actor: actorOf(request) }
      const draft = await getDraft(deps, target)
      return reply.headers(etagOf(draft)).send(presentDraft(draft))
    },
  )
  writeRoutes(http, deps)
}

function writeRoutes(http: Http, deps: ResourceDeps): void {
  http.post(
    LIST,
    {
      config: WRITE,
      schema: {
        ...about('createCampaignDraft', 'Keep a booking that is not finished'),
        body: contract.SaveDraft,
        response: { 201: contract.CampaignDraft },
      },
    },
    (request, reply) =>
      runCommand(deps, { request, reply }, async (db) => {
        const { form } = request.body
        const draft = await keepDraft({ ...deps, db }, { form, actor: actorOf(request) })
        return { status: 201, headers: etagOf(draft), body: presentDraft(draft) }
      }),
  )
  http.put(
    ONE,
    {
      config: WRITE,
      schema: {
        ...about('saveCampaignDraft', 'Keep an unfinished booking as it is now'),
        params: contract.DraftParams,
        body: contract.SaveDraft,
        response: { 200: contract.CampaignDraft },
      },
    },
    (request, reply) =>
      runCommand(deps, { request, reply }, async (db) => {
        const draft = await changeDraft(
          { ...deps, db },
          {
            publicId: request.params.campaignDraftId,
            actor: actorOf(request),
            expectedVersion: expectedVersionOf(request),
            form: request.body.form,
          },
        )
        return { status: 200, headers: etagOf(draft), body: presentDraft(draft) }
      }),
  )
  http.delete(
    ONE,
    {
      config: WRITE,
      schema: {
        ...about('deleteCampaignDraft', 'Throw an unfinished booking away'),
        params: contract.DraftParams,
        response: { 204: Type.Null() },
      },
    },
    (request, reply) =>
      runCommand(deps, { request, reply }, async (db) => {
        const target = { publicId: request.params.campaignDraftId, actor: actorOf(request) }
        await throwAwayDraft({ ...deps, db }, target)
        return { status: 204 }
      }),
  )
}
