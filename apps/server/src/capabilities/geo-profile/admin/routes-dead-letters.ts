import * as contract from '@placard/contract/geo-profile'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { sayStored } from '../../../platform/database/failure.ts'
import type { Http } from '../../../platform/http/server.ts'
import { listDeadObservations, requeueDead } from '../ingest/store-queue.ts'

const tags = ['geo profile']
const LISTED_MAX = 200

export function deadLetterRoutes(http: Http, { db, clock }: { db: Database; clock: Clock }): void {
  http.get(
    '/observations/dead-letters',
    {
      config: { access: 'operations:read' },
      schema: {
        operationId: 'readDeadObservations',
        summary: 'List observations that could not be processed, newest first',
        tags,
        response: { 200: contract.DeadLetters },
      },
    },
    async () => {
      const letters = await listDeadObservations(db, LISTED_MAX)
      return {
        items: letters.map((letter) => ({
          id: letter.id,
          user_id: letter.userId,
          device_session_id: letter.deviceSessionId,
          attempts: letter.attempts,
          reason: sayStored(letter.reason),
          accepted_at: new Date(letter.acceptedAt).toISOString(),
          failed_at: new Date(letter.failedAt).toISOString(),
        })),
      }
    },
  )
  http.post(
    '/observations/dead-letters/requeue',
    {
      config: { access: 'operations:write' },
      schema: {
        operationId: 'requeueDeadObservations',
        summary: 'Retry failed observations',
        tags,
        response: { 200: contract.Requeued },
      },
    },
    async () => ({ requeued: await requeueDead(db, clock.now()) }),
  )
}
