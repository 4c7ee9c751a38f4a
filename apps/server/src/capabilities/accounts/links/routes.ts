import * as contract from '@placard/contract/accounts'
import { setTimeout } from 'node:timers/promises'
import { Type } from 'typebox'
import { callerOf } from '../../../platform/http/access.ts'
import { runCommand } from '../../../platform/http/command.ts'
import type { Http } from '../../../platform/http/server.ts'
import { actorOf, present, targetOf } from '../../../platform/resources/index.ts'
import { user } from '../resources.ts'
import { endSessionsOf } from '../sessions/operations.ts'
import { hashUnknown } from '../users/operations.ts'
import {
  askForEmail,
  askForOwnEmail,
  choosePassword,
  confirmEmail,
  forgotPassword,
  invite,
  sendPasswordLink,
  type LinkOperationDeps,
} from './operations.ts'

/** Longer than it takes to create a link. */
const ANSWER_MS_MIN = 250

/** Using a link, and asking for one without being signed in. */
export function publicLinkRoutes(http: Http, deps: LinkOperationDeps): void {
  http.post(
    '/auth/forgot-password',
    {
      config: { access: 'public' },
      schema: {
        operationId: 'forgotPassword',
        summary: 'Ask for a link to choose a new password',
        description: 'The answer is the same whether or not somebody has that address.',
        tags: ['sign-in'],
        body: contract.ForgotPassword,
        response: { 202: Type.Null() },
      },
    },
    async ({ body: { email }, ip }, reply) => {
      await deps.limits.takeAddress(ip)
      await deps.limits.takeProof(`forgot ${email.toLowerCase()}`)
      // Takes equally long for strangers; otherwise the response time would show who is known.
      await Promise.all([forgotPassword(deps, email), setTimeout(ANSWER_MS_MIN)])
      return reply.code(202).send(null)
    },
  )
  http.post(
    '/auth/choose-password',
    {
      config: { access: 'public' },
      schema: {
        operationId: 'choosePassword',
        summary: 'Choose a password with a link; every session ends',
        tags: ['sign-in'],
        body: contract.ChoosePassword,
        response: { 204: Type.Null() },
      },
    },
    async ({ body, ip }, reply) => {
      await deps.limits.takeAddress(ip)
      await choosePassword(deps, { token: body.linkToken, password: body.password })
      return reply.code(204).send(null)
    },
  )
  http.post(
    '/auth/confirm-email',
    {
      config: { access: 'public' },
      schema: {
        operationId: 'confirmEmail',
        summary: 'Confirm a new e-mail address; both addresses have to',
        tags: ['sign-in'],
        body: contract.ConfirmEmail,
        response: { 200: contract.EmailConfirmed },
      },
    },
    async ({ body, ip }) => {
      await deps.limits.takeAddress(ip)
      return { isChanged: await confirmEmail(deps, body.linkToken) }
    },
  )
}

/** Users' changes to their own sign-in. */
export function ownLinkRoutes(http: Http, deps: LinkOperationDeps): void {
  http.post(
    '/me/email',
    {
      config: { access: 'signed-in', answerIsSecret: true },
      schema: {
        operationId: 'askForOwnEmail',
        summary: 'Change your e-mail address; the old and the new one get a link to confirm',
        tags: ['sign-in'],
        body: contract.AskForOwnEmail,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const { email, currentPassword: password } = request.body
      await deps.limits.takeAddress(request.ip)
      await askForOwnEmail(deps, { email, password, actor: actorOf(request) })
      return reply.code(204).send(null)
    },
  )
  http.delete(
    '/me/sessions',
    {
      config: { access: 'signed-in' },
      schema: {
        operationId: 'endMyOtherSessions',
        summary: 'Sign out everywhere else',
        tags: ['sign-in'],
        response: { 204: Type.Null() },
      },
    },
    (request, reply) =>
      runCommand(deps, { request, reply }, async (db) => {
        const { id: publicId, sessionId } = callerOf(request)
        await endSessionsOf(
          { ...deps, db },
          { publicId, actor: actorOf(request), except: sessionId },
        )
        return { status: 204 }
      }),
  )
}

/** Operators invite users and send password links. */
export function adminLinkRoutes(http: Http, deps: LinkOperationDeps): void {
  http.post(
    '/users/invite',
    {
      config: { access: 'users:write', answerIsSecret: true },
      schema: {
        operationId: 'inviteUser',
        summary: 'Invite a user, who chooses a password with a link',
        description: 'The link goes by mail; without mail set up the answer shows it once.',
        tags: ['users'],
        body: contract.InviteUser,
        response: { 201: contract.InvitedUser },
      },
    },
    async (request, reply) => {
      const hashed = await hashUnknown(deps)
      const actor = actorOf(request)
      return runCommand(deps, { request, reply }, async (db) => {
        const body = { ...request.body, ...hashed }
        const { record, handed } = await invite({ ...deps, db }, { body, actor })
        const headers = { location: `/api/v1/admin/users/${String(record.publicId)}` }
        return { status: 201, headers, body: { ...handed, user: present(user, record) } }
      })
    },
  )
  http.post(
    '/users/:userId/password-link',
    {
      config: { access: 'users:write', answerIsSecret: true },
      schema: {
        operationId: 'sendPasswordLink',
        summary: 'Send a user a link to choose a password',
        description: 'The link goes by mail; without mail set up the answer shows it once.',
        tags: ['users'],
        params: contract.UserParams,
        response: { 200: contract.HandedLink },
      },
    },
    (request, reply) =>
      runCommand(deps, { request, reply }, async (db) => ({
        status: 200,
        body: await sendPasswordLink({ ...deps, db }, targetOf(request, user)),
      })),
  )
  emailRoute(http, deps)
  http.post(
    '/users/:userId/end-sessions',
    {
      config: { access: 'users:write' },
      schema: {
        operationId: 'endSessionsOfUser',
        summary: 'End every session of a user',
        tags: ['users'],
        params: contract.UserParams,
        response: { 204: Type.Null() },
      },
    },
    (request, reply) =>
      runCommand(deps, { request, reply }, async (db) => {
        await endSessionsOf({ ...deps, db }, targetOf(request, user))
        return { status: 204 }
      }),
  )
}

function emailRoute(http: Http, deps: LinkOperationDeps): void {
  http.post(
    '/users/:userId/email',
    {
      config: { access: 'users:write', answerIsSecret: true },
      schema: {
        operationId: 'askForEmail',
        summary: 'Change the e-mail address of a user; both addresses have to confirm',
        description:
          'Sends the links by mail. If no mail server is set, the answer shows them once.',
        tags: ['users'],
        params: contract.UserParams,
        body: contract.AskForEmail,
        response: { 200: contract.HandedLinks },
      },
    },
    (request, reply) =>
      runCommand(deps, { request, reply }, async (db) => {
        const { email } = request.body
        const items = await askForEmail({ ...deps, db }, { ...targetOf(request, user), email })
        return { status: 200, body: { items } }
      }),
  )
}
