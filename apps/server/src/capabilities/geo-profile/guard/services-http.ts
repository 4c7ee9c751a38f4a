import { isCountry } from '@placard/contract/countries'
import type { CountrySync, SessionBlock, SessionService, UserService } from './services.ts'

export interface RemoteService {
  /** Where it lives; its contract is that of the built-in one, under `/api/v1/internal`. */
  readonly url: string
  readonly token: string
  readonly timeoutMs?: number
}

const TIMEOUT_MS = 2_000

/** A User Service of the company's own. */
export function remoteUserService(remote: RemoteService): UserService {
  return {
    async findUser(userId) {
      const user = await ask(remote, { path: `users/${encodeURIComponent(userId)}` })
      return user && { declaredCountry: countryIn(user) }
    },
    async syncDeclaredCountry({ userId, country, reasonCode, actor }: CountrySync) {
      const path = `users/${encodeURIComponent(userId)}/declared-country`
      const body = { declared_country: country, reason_code: reasonCode, actor }
      return (await ask(remote, { method: 'PUT', path, body })) ? 'synced' : 'no-such-user'
    },
  }
}

/** An Auth/Session Service of the company's own. */
export function remoteSessionService(remote: RemoteService): SessionService {
  const post = async (way: string, { deviceSessionId, reasonCode, actor }: SessionBlock) => {
    const path = `sessions/${encodeURIComponent(deviceSessionId)}/${way}`
    const body = { reason_code: reasonCode, actor }
    await ask(remote, { method: 'POST', path, body, isDone: (status) => status === 409 })
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
  /** Statuses beside 2xx that say that it is so already. */
  readonly isDone?: (status: number) => boolean
}

/** Nothing but a country, or none, is believed. */
function countryIn({ declared_country: country }: Answer): string | null {
  if (country === undefined || country === null) return null
  if (typeof country === 'string' && isCountry(country)) return country
  throw new Error(`The User Service answered ${JSON.stringify(country)}, which is not a country`)
}

type Answer = Readonly<Record<string, unknown>>

/** The answer, or undefined if the service knows no such thing; any 2xx is a yes, also without a body. */
async function ask(
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
