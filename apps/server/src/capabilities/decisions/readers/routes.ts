import * as contract from '@placard/contract/readers'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { callerOf } from '../../../platform/http/access.ts'
import type { Principal } from '../../../platform/http/principal.ts'
import type { Http } from '../../../platform/http/server.ts'
import { Problem } from '../../../platform/problem.ts'
import { publisherProblems } from '../../inventory/index.ts'
import { decisionProblems } from '../problems.ts'
import { namesOf } from './context.ts'
import { TOKEN_SECONDS_MAX } from './context-token.ts'
import { type Publishers, speaksFor } from './publishers.ts'
import type { RequestReaders } from './reader-of-request.ts'
import { saveSegments } from './store-known-readers.ts'

export interface ReaderRouteDeps {
  readonly db: Database
  readonly clock: Clock
  readonly readers: RequestReaders
  readonly publishers: Publishers
}

/** How a publisher's server says what it knows about its users; under `/api/v1`. */
export function readerRoutes(http: Http, deps: ReaderRouteDeps): void {
  tokenRoute(http, deps)
  segmentsRoute(http, deps)
}

function tokenRoute(http: Http, deps: ReaderRouteDeps): void {
  http.post(
    '/context-tokens',
    {
      config: { access: 'serving:write', answerIsSecret: true },
      schema: {
        operationId: 'createContextToken',
        summary:
          'Create a context token: what your server knows about a reader, encrypted for the tag to carry',
        description:
          'For pages that request ads from the browser. Without a token, nothing that the page claims about its reader is believed. It counts for placements of one publisher: yours, or the one that a platform key names.',
        tags: ['readers'],
        body: contract.CreateContextToken,
        response: { 201: contract.ContextToken },
      },
    },
    async (request, reply) => {
      const { publisherId, userId, lifeSeconds = TOKEN_SECONDS_MAX, ...said } = request.body
      const publisherKey = spokenFor(deps, callerOf(request), publisherId)
      const statement = { publisherKey, userId, said }
      const { token, expiresAt } = await deps.readers.issueToken(statement, lifeSeconds)
      if (token.length > contract.CONTEXT_TOKEN_LENGTH_MAX) {
        const words = `The token would have ${token.length} characters; at most ${contract.CONTEXT_TOKEN_LENGTH_MAX} are accepted.`
        throw new Problem(decisionProblems.contextTooLong, words)
      }
      return reply.code(201).send({ token, expiresAt: expiresAt.toISOString() })
    },
  )
}

function segmentsRoute(http: Http, deps: ReaderRouteDeps): void {
  http.put(
    '/users/:userKey/segments',
    {
      config: { access: 'serving:write' },
      schema: {
        operationId: 'setUserSegments',
        summary: 'Set the segments of one of your users',
        description:
          '`userKey` is your own id of the user, as in ad requests. Replaces the stored segments; an empty list forgets them. Every node follows within a second. They count for placements of one publisher only: yours, or the one that a platform key names.',
        tags: ['readers'],
        params: contract.UserParams,
        querystring: contract.OfPublisher,
        body: contract.PutSegments,
        response: { 200: contract.UserSegments },
      },
    },
    async (request) => {
      const { params, query, body } = request
      const segments = namesOf(body.segments)
      const publisherKey = spokenFor(deps, callerOf(request), query.publisherId)
      const userKey = deps.readers.userKeyOf(params.userKey, publisherKey)
      await saveSegments(deps.db, { userKey, publisherKey, segments, at: deps.clock.now() })
      return { segments: [...segments] }
    },
  )
}

/** The publisher that the caller names, its own, or the platform's first. */
export function spokenFor(
  { publishers }: Pick<ReaderRouteDeps, 'publishers'>,
  caller: Principal,
  publisherId: string | undefined,
): number {
  const key =
    publisherId === undefined ? publishers.of(caller) : publishers.find(publisherId)?.accountKey
  if (key === undefined || !speaksFor(caller, key)) {
    throw new Problem(publisherProblems.notFound, publisherId ?? 'There is no publisher yet.')
  }
  return key
}
