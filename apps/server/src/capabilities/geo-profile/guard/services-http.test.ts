import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { GEO_PROFILE } from './services.ts'
import { remoteSessionService, remoteUserService } from './services-http.ts'

interface Answer {
  readonly status: number
  readonly body?: object
}

/** An external service that gives these answers one after the other, and records the requests. */
async function remote(...answers: Answer[]) {
  const requests: { method: string; url: string; key: unknown; body: unknown }[] = []
  const reply = async (request: IncomingMessage, response: ServerResponse) => {
    const { method = '', url = '', headers } = request
    requests.push({ method, url, key: headers['x-api-key'], body: await bodyOf(request) })
    const { status, body } = answers.shift()!
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(body && JSON.stringify(body))
  }
  const server = createServer((request, response) => void reply(request, response))
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  return { requests, service: { url: `http://127.0.0.1:${port}`, token: 'a key' } }
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return text ? JSON.parse(text) : undefined
}

test('stage 15: an external User Service is called by its contract', async () => {
  const { requests, service } = await remote(
    { status: 200, body: { declared_country: 'DE' } },
    { status: 200 },
    { status: 404 },
    { status: 500 },
  )
  const users = remoteUserService(service)
  const sync = { userId: 'user/1', country: 'FR', reasonCode: 'moved', actor: GEO_PROFILE }

  expect(await users.findUser('user/1')).toEqual({ declaredCountry: 'DE' })
  expect(await users.syncDeclaredCountry(sync)).toBe('synced')
  expect(await users.syncDeclaredCountry(sync)).toBe('no-such-user')
  await expect(users.syncDeclaredCountry(sync)).rejects.toThrow('answered 500')
  expect(requests[1]).toEqual({
    method: 'PUT',
    url: '/api/v1/internal/users/user%2F1/declared-country',
    key: 'a key',
    body: { declared_country: 'FR', reason_code: 'moved', actor: GEO_PROFILE },
  })
})

test('stage 13: an unknown or ended session needs no block; a failing service is a failure', async () => {
  const { requests, service } = await remote({ status: 200 }, { status: 404 }, { status: 503 })
  const sessions = remoteSessionService(service)
  const block = { deviceSessionId: 's-1', reasonCode: 'multi_country_window', actor: GEO_PROFILE }

  await sessions.blockSession(block)
  await sessions.blockSession(block)
  await expect(sessions.blockSession(block)).rejects.toThrow('answered 503')
  expect(requests[0]).toMatchObject({ method: 'POST', url: '/api/v1/internal/sessions/s-1/block' })
})

test('any 2xx is a success, even without a body, and so is a session that is already blocked', async () => {
  const { service } = await remote(
    { status: 204 },
    { status: 204 },
    { status: 202 },
    { status: 409 },
  )
  const users = remoteUserService(service)
  const sessions = remoteSessionService(service)
  const sync = { userId: 'user-1', country: 'FR', reasonCode: 'moved', actor: GEO_PROFILE }
  const block = { deviceSessionId: 's-1', reasonCode: 'multi_country_window', actor: GEO_PROFILE }

  expect(await users.findUser('user-1')).toEqual({ declaredCountry: null })
  expect(await users.syncDeclaredCountry(sync)).toBe('synced')
  await sessions.blockSession(block)
  await sessions.blockSession(block)
})

test('an answer that is not a country is an error', async () => {
  const { service } = await remote({ status: 200, body: { declared_country: 'ZZ' } })

  await expect(remoteUserService(service).findUser('user-1')).rejects.toThrow('is not a country')
})
