import { Secret, TOTP } from 'otpauth'
import type { TestServer } from './server.ts'

type Server = Pick<TestServer, 'http' | 'deps'>
type Headers = Readonly<Record<string, string>>

const STEP_SECONDS = 30

/** The code that an authenticator app shows at that time. */
export const codeOf = (secret: string, at: Date): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: at.getTime() })

/** Asks for the secret of a new authenticator. */
export async function beginAuthenticator({ http }: Pick<Server, 'http'>, headers: Headers) {
  const url = '/api/v1/me/factors/authenticator'
  const answer = await http.inject({ method: 'POST', url, headers })
  return answer.json<{ secret: string; address: string }>()
}

/** An authenticator app of the user who is signed in there. */
export async function addAuthenticator(server: Server, headers: Headers, name = 'My phone') {
  const { http, deps } = server
  const { secret } = await beginAuthenticator(server, headers)
  const answer = await http.inject({
    method: 'POST',
    url: '/api/v1/me/factors/authenticator/confirm',
    headers,
    payload: { name, code: codeOf(secret, deps.clock.now()) },
  })
  const { factor, recoveryCodes } = answer.json<{
    factor: { id: string }
    recoveryCodes: string[]
  }>()
  return {
    factorId: factor.id,
    secret,
    recoveryCodes,
    /** A code that was not used yet: that of the next step, which is accepted early. */
    nextCode: () => codeOf(secret, new Date(deps.clock.now().getTime() + STEP_SECONDS * 1_000)),
  }
}
