import type { SignedIn } from '@placard/contract/accounts'
import type { Static } from 'typebox'
import { noAnswer, problemOf } from './problem.ts'

type Tokens = Static<typeof SignedIn>

const KEPT_AS = 'placard.session'
const API = '/api/v1'
/** A token is renewed a little before it ends, so that no request meets its end on the way. */
const EARLY_MS = 20_000

let kept = read()
const followers = new Set<() => void>()

/** Other tabs sign in and out too. */
addEventListener('storage', ({ key }) => {
  if (key === KEPT_AS) settle(read())
})

function read(): Tokens | undefined {
  try {
    return JSON.parse(localStorage.getItem(KEPT_AS) ?? 'null') ?? undefined
  } catch {
    return undefined
  }
}

function settle(tokens: Tokens | undefined): void {
  kept = tokens
  for (const tell of followers) tell()
}

function keep(tokens: Tokens | undefined): void {
  if (tokens) localStorage.setItem(KEPT_AS, JSON.stringify(tokens))
  else localStorage.removeItem(KEPT_AS)
  settle(tokens)
}

export const session = {
  isOpen: () => kept !== undefined,
  sessionId: () => kept?.sessionId,
  follow(tell: () => void) {
    followers.add(tell)
    return () => void followers.delete(tell)
  },
  async signIn(email: string, password: string): Promise<void> {
    keep(await ask('/auth/sign-in', { email, password }))
  },
  /** Ends the session on the server too; without it the session ends here all the same. */
  async signOut(): Promise<void> {
    const tokens = kept
    keep(undefined)
    if (!tokens) return
    await fetch(`${API}/me/sessions/${tokens.sessionId}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${tokens.accessToken}` },
    }).catch(() => undefined)
  },
  /** A token that works now; undefined when nobody is signed in. */
  async token(refused?: string): Promise<string | undefined> {
    if (!kept) return undefined
    const isFresh = Date.parse(kept.accessTokenExpiresAt) - EARLY_MS > Date.now()
    if (isFresh && kept.accessToken !== refused) return kept.accessToken
    return refresh(kept.accessToken)
  },
}

let running: Promise<string | undefined> | undefined

function refresh(old: string): Promise<string | undefined> {
  running ??= alone(() => swap(old)).finally(() => (running = undefined))
  return running
}

/** A refresh token works once and a second use ends the session, so tabs take turns. */
function alone<Result>(work: () => Promise<Result>): Promise<Result> {
  return navigator.locks ? navigator.locks.request(KEPT_AS, work) : work()
}

async function swap(old: string): Promise<string | undefined> {
  const current = read()
  if (current && current.accessToken !== old) {
    settle(current)
    return current.accessToken
  }
  if (!current) return undefined
  try {
    const tokens = await ask('/auth/refresh', { refreshToken: current.refreshToken })
    keep(tokens)
    return tokens.accessToken
  } catch (error) {
    if ((error as { status?: number }).status === 0) throw error
    keep(undefined)
    return undefined
  }
}

async function ask(path: string, body: object): Promise<Tokens> {
  const response = await fetch(API + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }).catch(() => {
    throw noAnswer()
  })
  if (!response.ok) throw await problemOf(response)
  return response.json() as Promise<Tokens>
}
