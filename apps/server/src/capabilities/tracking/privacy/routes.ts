import * as contract from '@placard/contract/tracking'
import type { Pool } from 'pg'
import type { Clock } from '../../../platform/clock.ts'
import type { Http } from '../../../platform/http/server.ts'
import type { Showing } from '../conversions/store.ts'
import { addForgotten, eraseFromDeeds, eraseFromShowings } from './store.ts'

export interface PrivacyDeps {
  readonly pool: Pool
  readonly clock: Clock
  userKeyOf(userId: string): string
  /** Every banner that this user was served, from auction records; bounded. */
  listShowingsOfUser(userKey: string): Promise<readonly Showing[]>
  /**
   * Erases the user from auction records, segments and counters, and returns how many rows that
   * was.
   */
  forgetInDecisions(
    userKey: string,
  ): Promise<{ decisions: number; segments: number; counters: number }>
}

/** Privacy requests of users. Register without a prefix. */
export function privacyRoutes(http: Http, deps: PrivacyDeps): void {
  http.post(
    '/api/v1/privacy/forget',
    {
      config: { access: 'operations:write' },
      schema: {
        operationId: 'forgetUser',
        summary: 'Erase a user’s identity from everything stored about the user',
        description:
          'Events stay counted and billed, without the user. Rows that no index finds are swept within the hour.',
        tags: ['privacy'],
        body: contract.ForgetUser,
        response: { 200: contract.ForgottenUser },
      },
    },
    async (request) => forget(deps, deps.userKeyOf(request.body.userId)),
  )
}

async function forget(deps: PrivacyDeps, userKey: string) {
  const { pool, clock } = deps
  await addForgotten(pool, userKey, clock.now())
  const showings = await deps.listShowingsOfUser(userKey)
  const events = await eraseFromShowings(pool, { userKey, showings })
  const deeds = await eraseFromDeeds(pool, userKey)
  // Last, because the events are found through these records.
  const decisions = await deps.forgetInDecisions(userKey)
  return { erased: { ...events, ...deeds, ...decisions }, isSweepPending: true }
}
