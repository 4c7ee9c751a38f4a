import { createTransport, PlacardProblem } from '@placard/client'
import type { SignedIn, SignedOut } from '@placard/contract/accounts'
import type { FactorNeeded as FactorNeededSchema, SignInChallenge } from '@placard/contract/factors'
import type { Static } from 'typebox'
import { askPasskey } from './passkey.ts'

type Tokens = Static<typeof SignedIn>
/** The password was correct, and a second step follows. */
export type FactorNeeded = Static<typeof FactorNeededSchema>

/** Why a session ended that its owner did not end. */
export interface SessionEnd {
  readonly why: 'blocked' | 'over'
  /** The server's explanation: the reason, and whom to ask. */
  readonly words?: string | undefined
}

/** The id of this browser's session. It opens nothing: the key is in a cookie. */
const MARK = 'placard.session-id'
/** Where earlier versions of the console stored their tokens. */
const KEPT_BEFORE = 'placard.session'
const API = '/api/v1'
const IN_COOKIE = { refreshTokenIn: 'cookie' }
/** Without a sign-in and without retries: the user is waiting. */
const send = createTransport({ timeoutMs: 20_000, triesMax: 1 })
/** A token is renewed a little early, so that no request arrives with an expired one. */
const EARLY_MS = 20_000

let mark = localStorage.getItem(MARK)
let kept: Tokens | undefined
let end: SessionEnd | undefined
let leftAt: string | undefined
const listeners = new Set<() => void>()

/** Another tab may sign in as someone else. Data of the previous user must go. */
addEventListener('storage', ({ key }) => {
  if (key !== MARK && key !== null) return
  const now = localStorage.getItem(MARK)
  if (now === mark) return
  if (now && mark) location.reload()
  mark = now
  kept = undefined
  notifyListeners()
})

function notifyListeners(): void {
  for (const listener of listeners) listener()
}

function keep(tokens: Tokens): void {
  kept = tokens
  end = undefined
  leftAt = undefined
  mark = tokens.sessionId
  localStorage.setItem(MARK, mark)
  localStorage.removeItem(KEPT_BEFORE)
  notifyListeners()
}

function forget(ended?: SessionEnd): void {
  kept = undefined
  end = ended
  mark = null
  localStorage.removeItem(MARK)
  localStorage.removeItem(KEPT_BEFORE)
  notifyListeners()
}

export const session = {
  isOpen: () => mark !== null || localStorage.getItem(KEPT_BEFORE) !== null,
  sessionId: () => mark ?? undefined,
  /** Why the last session ended, for the sign-in page. */
  endedBy: () => end,
  subscribe(listener: () => void) {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  },
  /** Opens a session, or reports that a second step is needed. */
  async signIn(email: string, password: string): Promise<FactorNeeded | undefined> {
    return opened(await ask('/auth/sign-in', { email, password, ...IN_COOKIE }))
  },
  /** The same with the answer of an identity provider. */
  async comeBack(slug: string, back: Back): Promise<FactorNeeded | undefined> {
    return opened(await ask(`/auth/identity-providers/${slug}/finish`, { ...back, ...IN_COOKIE }))
  },
  async sendCode(signInToken: string, code: string): Promise<void> {
    keep(await ask('/auth/sign-in/code', { signInToken, code, ...IN_COOKIE }))
  },
  /** Without a first step, the passkey alone signs in. */
  async sendPasskey(token?: string): Promise<void> {
    const asked = { ...(token !== undefined && { signInToken: token }) }
    const path = '/auth/sign-in/passkey'
    const challenge = await ask<Static<typeof SignInChallenge>>(`${path}-challenge`, asked)
    const credential = await askPasskey(challenge)
    const { signInToken } = challenge
    keep(await ask(path, { signInToken, credential, ...IN_COOKIE }))
  },
  /** Ends the session on the server too. If that fails, it ends here nevertheless. */
  async signOut(): Promise<void> {
    forget()
    const answer = await send('POST', `${API}/auth/sign-out`).catch(() => undefined)
    leftAt = (answer as Static<typeof SignedOut> | undefined)?.signOutAddress
    if (leftAt !== undefined) notifyListeners()
  },
  /** Where to end the session at the identity provider too, after signing out here. */
  leftAt: () => leftAt,
  /** A valid token. Undefined if nobody is signed in. */
  async token(refused?: string): Promise<string | undefined> {
    if (!session.isOpen()) return undefined
    const isFresh = kept && Date.parse(kept.accessTokenExpiresAt) - EARLY_MS > Date.now()
    if (kept && isFresh && kept.accessToken !== refused) return kept.accessToken
    running ??= refresh().finally(() => (running = undefined))
    return running
  },
}

/** What a visit to an identity provider began with, and what came back. */
interface Back {
  readonly flow: string
  readonly answer: string
}

function opened(answer: Tokens | FactorNeeded): FactorNeeded | undefined {
  if ('signInToken' in answer) return answer
  keep(answer)
  return undefined
}

let running: Promise<string | undefined> | undefined

/**
 * Tabs share the cookie and may refresh at once: the server accepts a used one for some seconds.
 */
async function refresh(): Promise<string | undefined> {
  try {
    const tokens = await ask('/auth/refresh', { ...IN_COOKIE, ...keptBefore() })
    keep(tokens)
    return tokens.accessToken
  } catch (error) {
    if (!isRefused(error)) throw error
    const isBlocked = error.code === 'SESSION_BLOCKED'
    forget(isBlocked ? { why: 'blocked', words: error.detail } : { why: 'over' })
    return undefined
  }
}

/** Continues a session of an earlier console, and moves its token into the cookie. */
function keptBefore(): { refreshToken?: string } {
  try {
    const { refreshToken } = JSON.parse(localStorage.getItem(KEPT_BEFORE) ?? '{}') as Tokens
    return refreshToken === undefined ? {} : { refreshToken }
  } catch {
    return {}
  }
}

/** Other errors are temporary: a restarting server ends no session. */
const isRefused = (error: unknown): error is PlacardProblem =>
  error instanceof PlacardProblem && [400, 401, 403].includes(error.status)

const ask = <Answer = Tokens>(path: string, body: object) =>
  send('POST', API + path, { body }) as Promise<Answer>
