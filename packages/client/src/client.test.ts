import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { addKey, startServer } from '../../../apps/server/src/testing/server.ts'
import { addAccount } from '../../../apps/server/src/testing/world.ts'
import { createClient, PlacardProblem } from './index.ts'

/** A real Placard, and a client with an operator's API key. */
async function aClient() {
  const server = await startServer()
  const account = await addAccount(server.deps, 'platform')
  const scopes = ['accounts:read', 'accounts:write']
  const key = await addKey(server, { account, scopes })
  const url = await server.http.listen({ host: '127.0.0.1', port: 0 })
  return createClient({ url, apiKey: key['x-api-key'] })
}

const accountCalled = (name: string) => ({ body: { name, kind: 'advertiser' as const } })

describe('a client of a real Placard', () => {
  test('yields every row of a list, page after page', async () => {
    const placard = await aClient()
    for (const name of ['One', 'Two', 'Three', 'Four', 'Five']) {
      await placard.call('createAccount', accountCalled(name))
    }

    const names: string[] = []
    for await (const { name } of placard.each('listAccounts', { query: { limit: 2 } })) {
      names.push(name)
    }

    expect(names).toEqual(expect.arrayContaining(['One', 'Two', 'Three', 'Four', 'Five']))
    expect(new Set(names).size).toBe(names.length)
  })

  test('creates one row for two requests with the same idempotency key', async () => {
    const placard = await aClient()
    const given = { ...accountCalled('Once'), idempotencyKey: 'order-1' }

    const first = await placard.call('createAccount', given)
    const second = await placard.call('createAccount', given)

    expect(second).toEqual(first)
  })

  test('throws the server’s problem with its code and every fault', async () => {
    const placard = await aClient()

    const failed = placard.call('createAccount', {
      body: { name: '', kind: 'nobody' as 'advertiser' },
    })

    await expect(failed).rejects.toBeInstanceOf(PlacardProblem)
    await expect(failed).rejects.toMatchObject({
      status: 400,
      code: 'INVALID_REQUEST',
      faults: [{ path: 'body/kind' }, { path: 'body/name' }],
    })
  })

  test('throws when the row has changed since the given version', async () => {
    const placard = await aClient()
    const { id, version } = await placard.call('createAccount', accountCalled('Old'))
    const rename = (name: string) =>
      placard.call('changeAccount', { params: { accountId: id }, version, body: { name } })
    await rename('New')

    await expect(rename('Newer')).rejects.toMatchObject({ status: 412 })
  })
})

/** A server with scripted answers, one per request. */
async function aScripted(...lines: readonly ((response: ServerResponse) => void)[]) {
  const requests: IncomingMessage[] = []
  const server = createServer((request, response) => {
    lines[Math.min(requests.length, lines.length - 1)]!(response)
    requests.push(request)
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, requests }
}

const yes = (response: ServerResponse) =>
  response.writeHead(200, { 'content-type': 'application/json' }).end('{"items":[]}')
const busy = (response: ServerResponse) => response.writeHead(503, { 'retry-after': '0' }).end()
const refused = (response: ServerResponse) => response.writeHead(401).end()
const never = () => {}

describe('a client of a failing Placard', () => {
  test('tries again while the server is busy, with the same idempotency key', async () => {
    const { url, requests } = await aScripted(busy, busy, yes)

    await createClient({ url }).call('createAccount', accountCalled('Later'))

    const keys = requests.map(({ headers }) => headers['idempotency-key'])
    expect(keys).toHaveLength(3)
    expect(new Set(keys).size).toBe(1)
  })

  test('gives up after the allowed number of tries', async () => {
    const { url, requests } = await aScripted(busy)

    const asked = createClient({ url, triesMax: 2 }).call('listAccounts')

    await expect(asked).rejects.toMatchObject({ status: 503 })
    expect(requests).toHaveLength(2)
  })

  test('sends a PATCH once, because the change may have been made although the answer was lost', async () => {
    const { url, requests } = await aScripted(busy)

    const patched = createClient({ url }).call('changeAccount', {
      params: { accountId: '01990000-0000-7000-8000-000000000001' },
      body: { name: 'New' },
    })

    await expect(patched).rejects.toMatchObject({ status: 503 })
    expect(requests).toHaveLength(1)
  })

  test('sends a call once more with the next token when the server refuses the first', async () => {
    const { url, requests } = await aScripted(refused, yes, refused)
    const asked: (string | undefined)[] = []
    const accessToken = (old?: string) => {
      asked.push(old)
      return `token ${asked.length}`
    }
    const placard = createClient({ url, accessToken })

    await placard.call('listAccounts')
    await expect(placard.call('listAccounts')).rejects.toMatchObject({ status: 401 })

    expect(asked).toEqual([undefined, 'token 1', undefined, 'token 3'])
    expect(requests.map(({ headers }) => headers.authorization)).toEqual(
      [1, 2, 3, 4].map((place) => `Bearer token ${place}`),
    )
  })

  test('waits no longer than its timeout', async () => {
    const { url } = await aScripted(never)

    const asked = createClient({ url, timeoutMs: 30, triesMax: 1 }).call('listAccounts')

    await expect(asked).rejects.toMatchObject({ status: 0, code: 'NO_ANSWER' })
  })

  test('ends at once when the caller aborts', async () => {
    const { url } = await aScripted((response) =>
      response.writeHead(503, { 'retry-after': '30' }).end(),
    )
    const abort = new AbortController()

    const asked = createClient({ url }).call('listAccounts', { signal: abort.signal })
    setTimeout(() => abort.abort(new Error('the reader left')), 20)

    await expect(asked).rejects.toThrow('the reader left')
  })
})
