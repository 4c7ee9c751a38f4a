import { Secret, TOTP } from 'otpauth'
import { softwarePasskey, type PasskeyOptions, type SoftwarePasskey } from './passkey.ts'
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

interface Question {
  readonly path: string
  readonly headers?: Headers
  readonly payload?: object
}

/** The challenge that a browser gets for a passkey. */
export async function challengeFrom(
  { http }: Pick<Server, 'http'>,
  { path, headers = {}, payload }: Question,
): Promise<string> {
  const url = `/api/v1${path}`
  const answer = await http.inject({ method: 'POST', url, headers, ...(payload && { payload }) })
  return answer.json<{ options: { challenge: string } }>().options.challenge
}

/** A passkey of the user who is signed in there. */
export async function addPasskey(
  server: Pick<Server, 'http'>,
  headers: Headers,
  options: PasskeyOptions = {},
): Promise<SoftwarePasskey> {
  const passkey = softwarePasskey(options)
  const path = '/me/factors/passkey-challenge'
  const credential = passkey.create(await challengeFrom(server, { path, headers }))
  const url = '/api/v1/me/factors/passkey'
  const payload = { name: 'My laptop', credential }
  const answer = await server.http.inject({ method: 'POST', url, headers, payload })
  if (answer.statusCode !== 200) throw new Error(`no passkey was added: ${answer.body}`)
  return passkey
}
