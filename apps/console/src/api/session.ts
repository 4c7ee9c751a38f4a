import { createTransport, PlacardProblem } from '@placard/client'
import type { SignedIn } from '@placard/contract/accounts'
import type { Static } from 'typebox'

type Tokens = Static<typeof SignedIn>

const KEPT_AS = 'placard.session'
const API = '/api/v1'
/** As nobody yet, and once: whoever signs in waits in front of it, and a refresh token works once. */
const send = createTransport({ timeoutMs: 20_000, triesMax: 1 })
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
  else {
    localStorage.removeItem(KEPT_AS)
    void withCache((cache) => cache.delete(SWAP))
  }
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
    await send('DELETE', `${API}/me/sessions/${tokens.sessionId}`, {
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
  const current = await latest()
  if (current && current.accessToken !== old) {
    settle(current)
    return current.accessToken
  }
  if (!current) return undefined
  try {
    const tokens = await ask('/auth/refresh', { refreshToken: current.refreshToken })
    keep(tokens)
    await noteSwap({ used: current.refreshToken, tokens })
    return tokens.accessToken
  } catch (error) {
    if (!isRefused(error)) throw error
    keep(undefined)
    return undefined
  }
}

/** Anything else passes: a server that starts anew ends nobody's session. */
const isRefused = (error: unknown) =>
  error instanceof PlacardProblem && [400, 401, 403].includes(error.status)

interface Swap {
  readonly used: string
  readonly tokens: Tokens
}

const SWAP = '/last-session-swap'

/**
 * What another tab got for the token that this one knows. Local storage reaches other tabs a little
 * later than the lock does; the cache has one content for all of them.
 */
async function latest(): Promise<Tokens | undefined> {
  const current = read()
  if (!current) return undefined
  const swap = await withCache(readSwap)
  return swap && swap.used === current.refreshToken ? swap.tokens : current
}

const readSwap = async (cache: Cache) =>
  (await (await cache.match(SWAP))?.json()) as Swap | undefined

const noteSwap = (swap: Swap) => withCache((cache) => cache.put(SWAP, Response.json(swap)))

/** A browser that keeps nothing loses only what tabs tell each other. */
async function withCache<Result>(use: (cache: Cache) => Promise<Result>) {
  try {
    return await use(await caches.open(KEPT_AS))
  } catch {
    return undefined
  }
}

const ask = (path: string, body: object) => send('POST', API + path, { body }) as Promise<Tokens>
