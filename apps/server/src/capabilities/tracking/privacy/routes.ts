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
  /** All that the records of decisions say the user was shown; bounded. */
  listShowingsOfUser(userKey: string): Promise<readonly Showing[]>
  /** Takes the user out of records, segments and counters, and says how much that was. */
  forgetInDecisions(
    userKey: string,
  ): Promise<{ decisions: number; segments: number; counters: number }>
}

/** What users may ask for; to be registered without a prefix. */
export function privacyRoutes(http: Http, deps: PrivacyDeps): void {
  http.post(
    '/api/v1/privacy/forget',
    {
      config: { access: 'operations:write' },
      schema: {
        operationId: 'forgetUser',
        summary: 'Erase who a user is from everything that was kept of him',
        description:
          'Events stay, counted and billed, and name nobody any more. What no index finds is swept within the hour.',
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
  // Last, because it takes away how the events were found.
  const decisions = await deps.forgetInDecisions(userKey)
  return { erased: { ...events, ...deeds, ...decisions }, isSweepPending: true }
}
