import * as readersContract from '@placard/contract/readers'
import * as contract from '@placard/contract/tracking'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { callerOf } from '../../../platform/http/access.ts'
import type { Principal } from '../../../platform/http/principal.ts'
import type { Http } from '../../../platform/http/server.ts'
import type { Showing } from '../conversions/store.ts'
import { addForgotten, eraseFromDeeds, eraseFromShowings } from './store.ts'

/** A reader as one publisher knows it. */
export interface PublishersReader {
  readonly userKey: string
  /** Undefined for a key of before readers were told apart by publisher. */
  readonly publisherKey: number | undefined
}

export interface PrivacyDeps {
  readonly db: Database
  readonly clock: Clock
  /** The reader with this id of the caller's publisher, or of the one that it names. */
  readerOf(caller: Principal, userId: string, publisherId: string | undefined): PublishersReader
  /** The readers with this id of all publishers there ever were. */
  readersEverywhere(userId: string): Promise<readonly PublishersReader[]>
  /** Every banner that these readers were served, from auction records; bounded. */
  listShowingsOfReaders(userKeys: readonly string[]): Promise<readonly Showing[]>
  /**
   * Erases the readers from auction records, facts and counters, and returns how many rows that was.
   */
  forgetInDecisions(
    readers: readonly PublishersReader[],
  ): Promise<{ decisions: number; segments: number; counters: number }>
}

/** Privacy requests of users. Register without a prefix. */
export function privacyRoutes(http: Http, deps: PrivacyDeps): void {
  forgetEverywhereRoute(http, deps)
  forgetOwnRoute(http, deps)
}

function forgetEverywhereRoute(http: Http, deps: PrivacyDeps): void {
  http.post(
    '/api/v1/privacy/forget',
    {
      config: { access: 'operations:write' },
      schema: {
        operationId: 'forgetUser',
        summary:
          'Erase a user’s identity from everything stored about the user, at every publisher',
        description:
          'Events stay counted and billed, without the user. Rows that no index finds are swept within the hour.',
        tags: ['privacy'],
        body: contract.ForgetUser,
        response: { 200: contract.ForgottenUser },
      },
    },
    async (request) => forget(deps, await deps.readersEverywhere(request.body.userId)),
  )
}

function forgetOwnRoute(http: Http, deps: PrivacyDeps): void {
  http.delete(
    '/api/v1/users/:userKey',
    {
      config: { access: 'serving:write' },
      schema: {
        operationId: 'forgetOwnUser',
        summary: 'Erase one of your users from everything stored about the user',
        description:
          '`userKey` is your own id of the user, as in ad requests. Events stay counted and billed, without the user. What other publishers know under the same id stays: it is another reader.',
        tags: ['privacy'],
        params: readersContract.UserParams,
        querystring: readersContract.OfPublisher,
        response: { 200: contract.ForgottenUser },
      },
    },
    async (request) => {
      const { params, query } = request
      return forget(deps, [deps.readerOf(callerOf(request), params.userKey, query.publisherId)])
    },
  )
}

async function forget(deps: PrivacyDeps, readers: readonly PublishersReader[]) {
  const { db, clock } = deps
  const userKeys = readers.map(({ userKey }) => userKey)
  await addForgotten(db, userKeys, clock.now())
  const showings = await deps.listShowingsOfReaders(userKeys)
  const events = await eraseFromShowings(db, { userKeys, showings })
  const deeds = await eraseFromDeeds(db, userKeys)
  // Last, because the events are found through these records.
  const decisions = await deps.forgetInDecisions(readers)
  return { erased: { ...events, ...deeds, ...decisions }, isSweepPending: true }
}
