import { isCountry } from '@placard/contract/countries'
import type { CountrySync, SessionBlock, SessionService, UserService } from './services.ts'

export interface RemoteService {
  /** Address of the service. Its contract is that of the built-in one, under `/api/v1/internal`. */
  readonly url: string
  readonly token: string
  readonly timeoutMs?: number
}

const TIMEOUT_MS = 2_000

/** An external User Service. */
export function remoteUserService(remote: RemoteService): UserService {
  return {
    async findUser(userId) {
      const user = await call(remote, { path: `users/${encodeURIComponent(userId)}` })
      return user && { declaredCountry: countryIn(user) }
    },
    async syncDeclaredCountry({ userId, country, reasonCode, actor }: CountrySync) {
      const path = `users/${encodeURIComponent(userId)}/declared-country`
      const body = { declared_country: country, reason_code: reasonCode, actor }
      return (await call(remote, { method: 'PUT', path, body })) ? 'synced' : 'no-such-user'
    },
  }
}

/** An external Auth/Session Service. */
export function remoteSessionService(remote: RemoteService): SessionService {
  const post = async (way: string, { deviceSessionId, reasonCode, actor }: SessionBlock) => {
    const path = `sessions/${encodeURIComponent(deviceSessionId)}/${way}`
    const body = { reason_code: reasonCode, actor }
    await call(remote, { method: 'POST', path, body, isDone: (status) => status === 409 })
  }
  return {
    blockSession: (block) => post('block', block),
    unblockSession: (unblock) => post('unblock', unblock),
  }
}

interface Question {
  readonly method?: 'GET' | 'PUT' | 'POST'
  readonly path: string
  readonly body?: object
  /** Statuses beside 2xx that mean success. */
  readonly isDone?: (status: number) => boolean
}

/** Only a country or null is accepted. */
function countryIn({ declared_country: country }: Answer): string | null {
  if (country === undefined || country === null) return null
  if (typeof country === 'string' && isCountry(country)) return country
  throw new Error(`The User Service answered ${JSON.stringify(country)}, which is not a country`)
}

type Answer = Readonly<Record<string, unknown>>

/** Undefined if the service does not know the thing. Any 2xx is a success, even without a body. */
async function call(
  { url, token, timeoutMs = TIMEOUT_MS }: RemoteService,
  { method = 'GET', path, body, isDone = () => false }: Question,
): Promise<Answer | undefined> {
  const response = await fetch(new URL(`/api/v1/internal/${path}`, url), {
    method,
    headers: { 'x-api-key': token, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(timeoutMs),
  })
  if (response.status === 404) {
    await response.body?.cancel()
    return undefined
  }
  if (!response.ok && !isDone(response.status)) {
    await response.body?.cancel()
    throw new Error(`${new URL(url).host} answered ${response.status}`)
  }
  if (method === 'GET') return answerIn(await response.text())
  await response.body?.cancel()
  return {}
}

function answerIn(text: string): Answer {
  const answer: unknown = text === '' ? {} : JSON.parse(text)
  if (typeof answer === 'object' && answer !== null) return { ...answer }
  throw new Error('The answer is not a JSON object')
}
