import type { Attack } from './attacks.ts'
import type { Answer, Send, Target, Victim } from './target.ts'

const is = (status: number) => (answer: Answer) => answer.status === status

/** With the password alone: the token of a sign-in that waits for the second factor. */
async function halfWay(send: Send, { email, password }: Victim): Promise<string> {
  const { body } = await send('POST', '/api/v1/auth/sign-in', { body: { email, password } })
  return String(body['signInToken'])
}

async function sendCode({ send, victim }: Target, code: string): Promise<Answer> {
  const body = { signInToken: await halfWay(send, victim), code }
  return send('POST', '/api/v1/auth/sign-in/code', { body })
}

/** More than anybody mistypes. */
const GUESSES = 30

async function guess({ send, victim }: Target): Promise<Answer> {
  const signInToken = await halfWay(send, victim)
  let answer: Answer
  let left = GUESSES
  do {
    const code = String(100_000 + left)
    answer = await send('POST', '/api/v1/auth/sign-in/code', { body: { signInToken, code } })
  } while (answer.status !== 429 && --left > 0)
  return answer
}

/** What somebody tries who knows a password and lacks the second factor. */
export const FACTORS: readonly Attack[] = [
  {
    name: 'the token of half a sign-in as access token',
    run: async ({ send, victim }) =>
      send('GET', '/api/v1/me', {
        headers: { authorization: `Bearer ${await halfWay(send, victim)}` },
      }),
    holds: is(401),
  },
  {
    name: 'the token of half a sign-in as refresh token',
    run: async ({ send, victim }) =>
      send('POST', '/api/v1/auth/refresh', { body: { refreshToken: await halfWay(send, victim) } }),
    holds: is(401),
  },
  {
    name: 'the token of half a sign-in as link for a new password',
    run: async ({ send, victim }) =>
      send('POST', '/api/v1/auth/choose-password', {
        body: { linkToken: await halfWay(send, victim), password: 'seven unusual purple words' },
      }),
    holds: is(400),
  },
  {
    name: 'a made-up token of half a sign-in',
    run: ({ send, victim }) =>
      send('POST', '/api/v1/auth/sign-in/code', {
        body: { signInToken: 'A'.repeat(43), code: victim.nextCode },
      }),
    holds: is(401),
  },
  {
    name: 'a code that was used before',
    run: (target) => sendCode(target, target.victim.usedCode),
    holds: is(403),
  },
  {
    name: 'a code of somebody else',
    run: (target) => sendCode(target, target.thief.nextCode),
    holds: is(403),
  },
  {
    name: 'a passkey that nobody has, without a password',
    async run({ send }) {
      const path = '/api/v1/auth/sign-in/passkey'
      const { body, status } = await send('POST', `${path}-challenge`, { body: {} })
      // Where passkeys do not work, none signs in.
      if (status === 409) return { status: 403, headers: {}, body: {} }
      const credential = {
        id: 'AA',
        clientDataJSON: 'e30',
        authenticatorData: 'AA',
        signature: 'AA',
      }
      return send('POST', path, { body: { signInToken: body['signInToken'], credential } })
    },
    holds: is(403),
  },
  {
    name: 'somebody removes a factor of somebody else',
    run: ({ send, thief, victim }) =>
      send('DELETE', `/api/v1/me/factors/${victim.factorId}`, { as: thief.person }),
    holds: is(404),
  },
  {
    name: 'somebody who is no operator resets the factors of somebody else',
    run: ({ send, thief, victim }) =>
      send('POST', `/api/v1/admin/users/${victim.userId}/reset-factors`, { as: thief.person }),
    holds: is(403),
  },
  {
    name: 'somebody removes the only factor, which the account requires',
    run: ({ send, thief }) =>
      send('DELETE', `/api/v1/me/factors/${thief.factorId}`, { as: thief.person }),
    holds: is(409),
  },
  ...[
    'GET /api/v1/admin/campaigns',
    'POST /api/v1/admin/api-keys',
    'POST /api/v1/me/password',
    'GET /api/v1/me/sessions',
  ].map((what) => ({
    name: `${what} without the factor that the account requires`,
    run: ({ send, lacking }: Target) => {
      const [method, path] = what.split(' ')
      return send(method!, path!, { as: lacking, ...(method === 'POST' && { body: {} }) })
    },
    holds: ({ status, body }: Answer) => status === 403 && body['code'] === 'FACTOR_SET_UP_NEEDED',
  })),
  // The last one: after it the victim is locked out for a while.
  { name: 'guessing codes', run: guess, holds: is(429) },
]
