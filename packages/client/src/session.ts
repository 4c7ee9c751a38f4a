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

/** Renewed before it ends, so that no request meets its end on the way. */
const EARLY_MS = 20_000

/** A person's sign-in as what `accessToken` of a client may be: signs in once, then renews. */
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
