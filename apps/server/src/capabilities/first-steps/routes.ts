import * as contract from '@placard/contract/first-steps'
import { runCommand } from '../../platform/http/command.ts'
import type { Http } from '../../platform/http/server.ts'
import { actorOf } from '../../platform/resources/index.ts'
import {
  askForTestMail,
  type CheckList,
  type FirstStepDeps,
  putAside,
  readCheckList,
} from './operations.ts'

/** The check-list of a new platform. The caller gives the prefix. */
export function firstStepRoutes(http: Http, deps: FirstStepDeps): void {
  readRoute(http, deps)
  putRoute(http, deps)
  testMailRoute(http, deps)
}

function readRoute(http: Http, deps: FirstStepDeps): void {
  http.get(
    '/first-steps',
    {
      config: { access: 'operations:read' },
      schema: {
        operationId: 'readFirstSteps',
        summary: 'What a new platform still needs until its first ad is counted',
        tags: ['operations'],
        response: { 200: contract.FirstSteps },
      },
    },
    async () => present(await readCheckList(deps)),
  )
}

function putRoute(http: Http, deps: FirstStepDeps): void {
  http.put(
    '/first-steps',
    {
      config: { access: 'operations:write' },
      schema: {
        operationId: 'putFirstStepsAside',
        summary: 'Put the check-list aside, or show it again',
        tags: ['operations'],
        body: contract.PutFirstSteps,
        response: { 200: contract.FirstSteps },
      },
    },
    (request, reply) =>
      runCommand(deps, { request, reply }, async (db) => {
        const order = { actor: actorOf(request), ...request.body }
        return { status: 200, body: present(await putAside({ ...deps, db }, order)) }
      }),
  )
}

function testMailRoute(http: Http, deps: FirstStepDeps): void {
  http.post(
    '/first-steps/test-mail',
    {
      config: { access: 'operations:write' },
      schema: {
        operationId: 'sendTestMail',
        summary: 'Send yourself a test mail; the check-list shows what the mail server said',
        tags: ['operations'],
        response: { 202: contract.TestMail },
      },
    },
    (request, reply) =>
      runCommand(deps, { request, reply }, async (db) => ({
        status: 202,
        body: { sentTo: await askForTestMail({ ...deps, db }, actorOf(request)) },
      })),
  )
}

const present = ({ mail, steps, ...list }: CheckList) => ({
  ...list,
  steps: [...steps],
  mail: {
    missingSettings: [...mail.missingSettings],
    askedAt: mail.mailAskedAt?.toISOString() ?? null,
    acceptedAt: mail.mailAcceptedAt?.toISOString() ?? null,
    failure: mail.mailFailure,
  },
})
