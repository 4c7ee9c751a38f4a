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
      return user && { declaredCountry: (user.declared_country as string | null) ?? null }
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
  return {
    async blockSession({ deviceSessionId, reasonCode, actor }: SessionBlock) {
      const path = `sessions/${encodeURIComponent(deviceSessionId)}/block`
      await ask(remote, { method: 'POST', path, body: { reason_code: reasonCode, actor } })
    },
  }
}

interface Question {
  readonly method?: 'GET' | 'PUT' | 'POST'
  readonly path: string
  readonly body?: object
}

/** The answer, or undefined if the service knows no such thing; anything else is a failure. */
async function ask(
  { url, token, timeoutMs = TIMEOUT_MS }: RemoteService,
  { method = 'GET', path, body }: Question,
): Promise<Readonly<Record<string, unknown>> | undefined> {
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
  if (!response.ok) {
    await response.body?.cancel()
    throw new Error(`${new URL(url).host} answered ${response.status}`)
  }
  return (await response.json()) as Readonly<Record<string, unknown>>
}
