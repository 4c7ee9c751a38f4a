import * as contract from '@placard/contract/readers'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/connect.ts'
import type { Http } from '../../../platform/http/server.ts'
import { Problem } from '../../../platform/problem.ts'
import { decisionProblems } from '../problems.ts'
import { namesOf } from './context.ts'
import { TOKEN_SECONDS_MAX } from './context-token.ts'
import type { RequestReaders } from './reader-of-request.ts'
import { saveSegments } from './store-segments.ts'

export interface ReaderRouteDeps {
  readonly db: Database
  readonly clock: Clock
  readonly readers: RequestReaders
}

/** How a publisher's server says what it knows about its users; under `/api/v1`. */
export function readerRoutes(http: Http, deps: ReaderRouteDeps): void {
  tokenRoute(http, deps)
  segmentsRoute(http, deps)
}

function tokenRoute(http: Http, { readers }: ReaderRouteDeps): void {
  http.post(
    '/context-tokens',
    {
      config: { access: 'serving:write', answerIsSecret: true },
      schema: {
        operationId: 'createContextToken',
        summary:
          'Create a context token: what your server knows about a reader, encrypted for the tag to carry',
        description:
          'For pages that request ads from the browser. Without a token, nothing that the page claims about its reader is believed.',
        tags: ['readers'],
        body: contract.CreateContextToken,
        response: { 201: contract.ContextToken },
      },
    },
    async (request, reply) => {
      const { userId, lifeSeconds = TOKEN_SECONDS_MAX, ...said } = request.body
      const { token, expiresAt } = await readers.issueToken({ userId, said }, lifeSeconds)
      if (token.length > contract.CONTEXT_TOKEN_LENGTH_MAX) {
        const words = `The token would have ${token.length} characters; at most ${contract.CONTEXT_TOKEN_LENGTH_MAX} are accepted.`
        throw new Problem(decisionProblems.contextTooLong, words)
      }
      return reply.code(201).send({ token, expiresAt: expiresAt.toISOString() })
    },
  )
}

function segmentsRoute(http: Http, { db, clock, readers }: ReaderRouteDeps): void {
  http.put(
    '/users/:userKey/segments',
    {
      config: { access: 'serving:write' },
      schema: {
        operationId: 'setUserSegments',
        summary: 'Set the segments of one of your users',
        description:
          '`userKey` is your own id of the user, as in ad requests. Replaces the stored segments; an empty list forgets the user. Every node follows within a second.',
        tags: ['readers'],
        params: contract.SegmentsParams,
        body: contract.PutSegments,
        response: { 200: contract.UserSegments },
      },
    },
    async ({ params, body }) => {
      const segments = namesOf(body.segments)
      const userKey = readers.userKeyOf(params.userKey)
      await saveSegments(db, { userKey, segments, at: clock.now() })
      return { segments: [...segments] }
    },
  )
}
