import type { AnswerOf, Client } from './client.ts'
import { PlacardProblem } from './problem.ts'

export interface SessionOptions {
  readonly client: Client
  readonly email: string
  readonly password: string
  /** Milliseconds since 1970. */
  readonly now: () => number
}

type Tokens = AnswerOf<'signIn'>

/** Renewed before it ends, so that no request meets its end on the way. */
const EARLY_MS = 20_000

/** A person's sign-in as what `accessToken` of a client may be: signs in once, then renews. */
export function signedIn({ client, email, password, now }: SessionOptions) {
  let kept: Tokens | undefined
  let asked: Promise<Tokens> | undefined
  const isFresh = ({ accessTokenExpiresAt }: Tokens) =>
    Date.parse(accessTokenExpiresAt) - EARLY_MS > now()
  const signIn = () => client.call('signIn', { body: { email, password } })
  const ask = () =>
    kept?.refreshToken
      ? client
          .call('refreshSession', { body: { refreshToken: kept.refreshToken } })
          // Ended in between, by somebody or by time: begin anew.
          .catch((error: unknown) => (isRefused(error) ? signIn() : Promise.reject(error)))
      : signIn()

  return async (refused?: string): Promise<string> => {
    if (kept && isFresh(kept) && kept.accessToken !== refused) return kept.accessToken
    // A refresh token works once: callers of the same moment share the answer.
    asked ??= ask().finally(() => (asked = undefined))
    kept = await asked
    return kept.accessToken
  }
}

const isRefused = (error: unknown) => error instanceof PlacardProblem && error.status === 401
