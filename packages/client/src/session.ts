import type { AnswerOf, Client } from './client.ts'
import { PlacardProblem } from './problem.ts'

export interface SessionOptions {
  readonly client: Client
  readonly email: string
  readonly password: string
  /** Milliseconds since 1970. */
  readonly now: () => number
}

type Tokens = AnswerOf<'refreshSession'>

const FACTOR_NEEDED = 'This person signs in with a second factor: give the program an API key'

/** Renews a token this long before it ends, so that it does not end during a request. */
const EARLY_MS = 20_000

/** An `accessToken` function for a person: signs in once, then renews the session. */
export function signedIn({ client, email, password, now }: SessionOptions) {
  let kept: Tokens | undefined
  let asked: Promise<Tokens> | undefined
  const isFresh = ({ accessTokenExpiresAt }: Tokens) =>
    Date.parse(accessTokenExpiresAt) - EARLY_MS > now()
  const signIn = async () => {
    const answer = await client.call('signIn', { body: { email, password } })
    if ('accessToken' in answer) return answer
    throw new PlacardProblem({ status: 401, code: 'FACTOR_NEEDED', title: FACTOR_NEEDED })
  }
  const ask = () =>
    kept?.refreshToken
      ? client
          .call('refreshSession', { body: { refreshToken: kept.refreshToken } })
          // The session has ended meanwhile: sign in again.
          .catch((error: unknown) => (isRefused(error) ? signIn() : Promise.reject(error)))
      : signIn()

  return async (refused?: string): Promise<string> => {
    if (kept && isFresh(kept) && kept.accessToken !== refused) return kept.accessToken
    // A refresh token works once, so simultaneous callers share the answer.
    asked ??= ask().finally(() => (asked = undefined))
    kept = await asked
    return kept.accessToken
  }
}

const isRefused = (error: unknown) => error instanceof PlacardProblem && error.status === 401
