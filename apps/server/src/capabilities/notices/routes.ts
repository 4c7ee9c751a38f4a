import * as contract from '@placard/contract/notices'
import { runCommand } from '../../platform/http/command.ts'
import type { Http } from '../../platform/http/server.ts'
import {
  actorOf,
  changeRow,
  present,
  resourceRoutes,
  targetOf,
} from '../../platform/resources/index.ts'
import { resendConfirmations, confirmRecipient } from './confirming.ts'
import { changeRecipient, createRecipient, type RecipientDeps } from './operations.ts'
import { notice, recipient } from './resources.ts'

/** Recipients and their notices. The caller gives the prefix. */
export function noticeRoutes(http: Http, deps: RecipientDeps): void {
  createRoute(http, deps)
  resourceRoutes(http, deps, { resource: recipient, actions: ['list', 'get', 'delete'] })
  changeRoute(http, deps)
  confirmationRoute(http, deps)
  resourceRoutes(http, deps, { resource: notice, actions: ['list'] })
}

function createRoute(http: Http, deps: RecipientDeps): void {
  http.post(
    '/recipients',
    {
      config: { access: 'reports:write', answerIsSecret: true },
      schema: {
        operationId: 'createRecipient',
        summary: 'Create a recipient of reports and alerts; the answer shows its secret once',
        description:
          'Sends each mail address a link and each webhook address a first call. Nothing else is sent to an address before it agrees. If no mail server is set, the answer shows the links once.',
        tags: ['notices'],
        body: contract.CreateRecipient,
        response: { 201: contract.NewRecipient },
      },
    },
    (request, reply) =>
      runCommand(deps, { request, reply }, async (db) => {
        const order = { body: request.body, actor: actorOf(request) }
        const { record, ...shown } = await createRecipient({ ...deps, db }, order)
        return { status: 201, body: { ...present(recipient, record), ...shown } }
      }),
  )
}

function changeRoute(http: Http, deps: RecipientDeps): void {
  http.patch(
    '/recipients/:recipientId',
    {
      config: { access: 'reports:write' },
      schema: {
        operationId: 'changeRecipient',
        summary: 'Change a recipient; a new address must confirm first',
        tags: ['notices'],
        params: contract.RecipientParams,
        body: contract.PatchRecipient,
        response: { 200: contract.Recipient },
      },
    },
    (request, reply) =>
      changeRow(deps, recipient, {
        request,
        reply,
        change: ({ db }) =>
          changeRecipient({ ...deps, db }, { ...targetOf(request, recipient), body: request.body }),
      }),
  )
}

function confirmationRoute(http: Http, deps: RecipientDeps): void {
  http.post(
    '/recipients/:recipientId/confirmation',
    {
      config: { access: 'reports:write', answerIsSecret: true },
      schema: {
        operationId: 'askRecipientAgain',
        summary:
          'Send new confirmation requests to unconfirmed addresses; earlier links stop working',
        description:
          'Sends the links by mail. If no mail server is set, the answer shows them once.',
        tags: ['notices'],
        params: contract.RecipientParams,
        response: { 200: contract.Confirmations },
      },
    },
    (request, reply) =>
      runCommand(deps, { request, reply }, async (db) => ({
        status: 200,
        body: { items: await resendConfirmations({ ...deps, db }, targetOf(request, recipient)) },
      })),
  )
}

/** Confirmation of an address by its link, without an account. */
export function recipientLinkRoutes(http: Http, deps: RecipientDeps): void {
  http.post(
    '/recipients/confirm',
    {
      config: { access: 'public' },
      schema: {
        operationId: 'confirmRecipient',
        summary: 'Confirm an address with the link from the mail',
        tags: ['notices'],
        body: contract.ConfirmRecipient,
        response: { 200: contract.RecipientConfirmed },
      },
    },
    async ({ body }) => ({ address: await confirmRecipient(deps, body.linkToken) }),
  )
}
