import { Problem } from '../../../platform/problem.ts'
import { accountProblems } from '../problems.ts'
import {
  addRefreshToken,
  extendSession,
  lockRefreshToken,
  markRefreshTokenUsed,
  revokeSession,
} from '../store.ts'
import { blockedProblem } from './blocked.ts'
import type { SessionDeps, SignedIn } from './open-session.ts'
import { endingBy, judgeSession } from './session.ts'
import { hashSecret, issueTokens, type RefreshToken, type Way } from './tokens.ts'

export interface Refresh {
  readonly token: string
  /** How the token arrived. */
  readonly from: Way
  /** How the next token travels. */
  readonly to: Way
}

/**
 * A reload may lose an answer, and tabs refresh concurrently, so a cookie works this much longer
 * after its first use. A token in a body belongs to one program, which refreshes once.
 */
const GRACE_MS = 30_000

/**
 * Exchanges a refresh token for the next one. A used token that returns later was copied: the whole
 * session ends, because thief and owner cannot be told apart.
 */
export async function refreshSession(deps: SessionDeps, refresh: Refresh): Promise<SignedIn> {
  const now = deps.clock.now()
  const fresh = deps.tokens.newRefresh()
  const outcome = await deps.db.transaction(async (db) => {
    const found = await lockRefreshToken(db, hashSecret(refresh.token))
    const verdict = judgeRefresh(found, { from: refresh.from, now })
    if (verdict === 'reused') {
      await revokeSession(db, { ...found!, at: now, reasonCode: 'refresh_token_reused' })
    }
    if (verdict === 'blocked') return blockedProblem({ ...found!, contact: deps.contact })
    if (verdict !== 'fine') return 'refused'
    const { id, usedAt, sessionId, sessionPublicId } = found!
    const next = endingBy(fresh, found!.endsAt)
    if (!usedAt) await markRefreshTokenUsed(db, id, now)
    await addRefreshToken(db, tokenRow(sessionId, next, refresh.to))
    await extendSession(db, sessionId, { lastSeenAt: now, expiresAt: next.expiresAt })
    return { sessionPublicId, next }
  })
  if (outcome === 'refused') throw new Problem(accountProblems.refreshRefused, 'Sign in again.')
  if (outcome instanceof Problem) throw outcome
  return issueTokens(deps.tokens, outcome.sessionPublicId, outcome.next)
}

export const tokenRow = (sessionId: bigint, { hash, expiresAt }: RefreshToken, way: Way) => ({
  sessionId,
  tokenHash: hash,
  expiresAt,
  isCookie: way === 'cookie',
})

type Found = Awaited<ReturnType<typeof lockRefreshToken>>
type RefreshVerdict = 'fine' | 'refused' | 'blocked' | 'reused'

/** A token issued as a cookie is refused in a body: no script should have it. */
function judgeRefresh(found: Found, { from, now }: { from: Way; now: Date }): RefreshVerdict {
  if (!found || found.tokenExpiresAt <= now || found.isCookie !== (from === 'cookie')) {
    return 'refused'
  }
  const session = judgeSession(found, now)
  if (session === 'blocked') return 'blocked'
  if (session !== 'active') return 'refused'
  if (!found.usedAt) return 'fine'
  const isInGrace = from === 'cookie' && now.getTime() - found.usedAt.getTime() <= GRACE_MS
  return isInGrace ? 'fine' : 'reused'
}

/** Ends the session of the token and returns its key. An unknown token ends nothing. */
export function signOut(deps: SessionDeps, token: string): Promise<bigint | undefined> {
  return deps.db.transaction(async (db) => {
    const found = await lockRefreshToken(db, hashSecret(token))
    if (!found?.isCookie) return undefined
    await revokeSession(db, { ...found, at: deps.clock.now(), reasonCode: 'signed_out' })
    return found.sessionId
  })
}
