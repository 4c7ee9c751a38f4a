import { DAY_MS } from '@placard/calendar'
import * as contract from '@placard/contract/geo-profile'
import type { FastifyRequest } from 'fastify'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { callerOf } from '../../../platform/http/access.ts'
import { httpProblems } from '../../../platform/http/problems.ts'
import type { Http } from '../../../platform/http/server.ts'
import { Problem } from '../../../platform/problem.ts'
import { cutPage, pageFrom } from '../../../platform/resources/index.ts'
import { type DeclaredDeps, knowUser } from '../declared/operations-declared.ts'
import type { DecisionDeps } from '../review/operations-decisions.ts'
import type { ReviewDeps } from '../review/operations-review.ts'
import { evidenceAt } from '../review/review.ts'
import { findProfile } from '../profile/store-profiles.ts'
import {
  presentBlock,
  presentDecision,
  presentEvidenceNow,
  presentReview,
  presentSession,
  presentVersion,
  seenNowhere,
} from './present.ts'
import {
  type CandidatePlace,
  findReview,
  listCandidates,
  listDaysSeen,
  listScores,
  listSessionProfiles,
  summariseObservations,
} from './reads.ts'
import type { Actor } from '../guard/services.ts'
import { listBlocks, listBlocksOf } from '../guard/store-blocks.ts'
import { listDecisionsOf } from '../review/store-decisions.ts'
import { listVersions } from '../declared/store-versions.ts'

export interface GeoRouteDeps extends DeclaredDeps, ReviewDeps, DecisionDeps {}

export function readRoutes(http: Http, deps: GeoRouteDeps): void {
  candidatesRoute(http, deps)
  profileRoute(http, deps)
  blocksRoute(http, deps)
}

export const tags = ['geo profile']

function candidatesRoute(http: Http, { db }: { db: Database }): void {
  http.get(
    '/review-candidates',
    {
      config: { access: 'geo:read' },
      schema: {
        operationId: 'listReviewCandidates',
        summary: 'List users whose declared country needs a review, newest first',
        tags,
        querystring: contract.ReviewCandidatesQuery,
        response: { 200: contract.ReviewCandidates },
      },
    },
    async ({ query }) => {
      const { limit = 50, cursor } = query
      const after = cursor === undefined ? undefined : placeFrom(cursor)
      const rows = await listCandidates(db, { limit: limit + 1, after })
      const items = rows.slice(0, limit)
      const last = rows.length > limit ? items.at(-1) : undefined
      return {
        items: items.map((row) => ({
          user_id: row.userId,
          declared_country: row.declaredCountry,
          ...presentReview(row),
        })),
        ...(last?.since && { next_cursor: cursorTo({ since: last.since, userId: last.userId }) }),
      }
    },
  )
}

const cursorTo = ({ since, userId }: CandidatePlace): string =>
  Buffer.from(JSON.stringify([since.toISOString(), userId])).toString('base64url')

/** We make the cursors, and anybody can send one. */
function placeFrom(cursor: string): CandidatePlace {
  try {
    const [since, userId] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[]
    const at = new Date(typeof since === 'string' ? since : Number.NaN)
    if (typeof userId === 'string' && !userId.includes('\0') && !Number.isNaN(at.getTime())) {
      return { since: at, userId }
    }
  } catch {
    // Reported below, like any other cursor that is not ours.
  }
  throw new Problem(httpProblems.invalidRequest, 'The cursor does not belong to this list.', [
    { path: 'querystring/cursor', message: 'is not a next_cursor of this list' },
  ])
}

function blocksRoute(http: Http, { db }: { db: Database }): void {
  http.get(
    '/block-actions',
    {
      config: { access: 'geo:read' },
      schema: {
        operationId: 'listBlockActions',
        summary: 'List suspicious sessions and their outcome, newest first',
        tags,
        querystring: contract.BlockActionsQuery,
        response: { 200: contract.BlockActions },
      },
    },
    async ({ query: { state, ...paging } }) => {
      const page = pageFrom(paging)
      const after = page.cursor?.publicId
      const found = await listBlocks(db, { state, after, limit: page.limit + 1 })
      const { rows, nextCursor } = cutPage(found, page)
      return {
        items: rows.map((action) => ({ user_id: action.userId, ...presentBlock(action) })),
        ...(nextCursor && { next_cursor: nextCursor }),
      }
    },
  )
}

const LOOK_BACK_MS = 30 * DAY_MS

function profileRoute(http: Http, deps: GeoRouteDeps): void {
  http.get(
    '/users/:userId/geo-profile',
    {
      config: { access: 'geo:read' },
      schema: {
        operationId: 'readGeoProfile',
        summary: 'Read a user’s geo profile by device session',
        tags,
        params: contract.GeoUserParams,
        response: { 200: contract.GeoProfile },
      },
    },
    async ({ params: { userId } }) => {
      await requireUser(deps, userId)
      return readProfile(deps, userId)
    },
  )
}

async function readProfile({ db, clock }: { db: Database; clock: Clock }, userId: string) {
  const now = clock.now()
  const since = new Date(now.getTime() - LOOK_BACK_MS)
  const review = await findReview(db, userId)
  const sessions = await listSessionProfiles(db, userId)
  const scores = await listScores(db, userId)
  const summaries = await summariseObservations(db, userId, since)
  const days = await listDaysSeen(db, userId, since)
  const profile = await findProfile(db, userId)
  const versions = await listVersions(db, userId)
  const blocks = await listBlocksOf(db, userId)
  const decisions = await listDecisionsOf(db, userId)
  return {
    user_id: userId,
    declared_country: review?.declaredCountry ?? null,
    review: {
      ...presentReview(review),
      evidence_now: presentEvidenceNow(profile && evidenceAt(profile, now.getTime())),
    },
    sessions: [...sessions, ...seenNowhere(sessions, summaries)].map((session) =>
      presentSession(session, { scores, summaries, days, now }),
    ),
    declared_country_versions: versions.map(presentVersion),
    block_actions: blocks.map(presentBlock),
    decisions: decisions.map(presentDecision),
  }
}

/** A user is known if the User Service knows them, or if the id was observed. */
export async function requireUser(
  deps: Pick<DeclaredDeps, 'db' | 'clock' | 'users'>,
  userId: string,
): Promise<void> {
  if (await findReview(deps.db, userId)) return
  await knowUser(deps, userId)
}

/** A person acts in their own name. A service names the person it acts for. */
export function geoActorOf(request: FastifyRequest, given?: Actor): Actor {
  const { kind, id } = callerOf(request)
  return kind === 'user' ? { type: 'user', id } : (given ?? { type: 'service', id })
}
