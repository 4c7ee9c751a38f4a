import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { Webhook } from 'standardwebhooks'
import { expect, onTestFinished, test } from 'vitest'
import { fixedClock } from '../../../testing/fixed.ts'
import { createWebhookSender, type SenderOptions } from './webhook-client.ts'
import { startReceiver } from '../testing.ts'

const SECRET = `whsec_${Buffer.alloc(24, 7).toString('base64')}`

function senderWith(options: Partial<SenderOptions> = {}) {
  const clock = { now: () => new Date() }
  const sender = createWebhookSender({ clock, timeoutMs: 500, allowedHosts: [], ...options })
  onTestFinished(() => sender.close())
  return (url: string) =>
    sender.send({ url, secret: SECRET, id: 'event-1', body: '{"type":"a.b.v1"}' })
}

test('a call carries a signature that the Standard Webhooks library accepts', async () => {
  const { url, calls } = await startReceiver()
  const send = senderWith({ allowedHosts: ['localhost'] })

  expect(await send(url)).toEqual({ status: 204 })

  const [{ headers, body }] = calls as [(typeof calls)[0]]
  const verified = new Webhook(SECRET).verify(body, headers as Record<string, string>)
  expect(verified).toEqual({ type: 'a.b.v1' })
  expect(headers).toMatchObject({
    'webhook-id': 'event-1',
    'content-type': 'application/cloudevents+json; charset=utf-8',
  })
})

test('a signature of another secret, body or time is refused', async () => {
  const { url, calls } = await startReceiver()
  await senderWith({ allowedHosts: ['localhost'] })(url)
  await senderWith({ allowedHosts: ['localhost'], clock: fixedClock('2020-01-01T00:00:00Z') })(url)
  const [now, longAgo] = calls.map(({ headers, body }) => ({
    headers: headers as Record<string, string>,
    body,
  }))
  const other = `whsec_${Buffer.alloc(24, 8).toString('base64')}`

  expect(() => new Webhook(other).verify(now!.body, now!.headers)).toThrow('signature')
  expect(() => new Webhook(SECRET).verify(`${now!.body} `, now!.headers)).toThrow('signature')
  expect(() => new Webhook(SECRET).verify(longAgo!.body, longAgo!.headers)).toThrow('timestamp')
})

test('the example in the guide accepts our calls, and no others', async () => {
  const { url, calls } = await startReceiver()
  await senderWith({ allowedHosts: ['localhost'] })(url)
  const [{ headers, body }] = calls as [(typeof calls)[0]]
  const guide = path.join(import.meta.dirname, '../../../../../../docs/guides/operator.md')
  const [, example] = /```js\n(.*?)```/s.exec(await readFile(guide, 'utf8'))!
  const { isFromPlacard } = await import(`data:text/javascript,${encodeURIComponent(example!)}`)

  expect(isFromPlacard(SECRET, headers, body)).toBe(true)
  expect(isFromPlacard(SECRET, headers, `${body} `)).toBe(false)
  expect(isFromPlacard(SECRET, { ...headers, 'webhook-timestamp': '1' }, body)).toBe(false)
})

test('no host inside our own network is called, by name, by address or in disguise', async () => {
  const { url, calls } = await startReceiver()
  const { port } = new URL(url)
  const send = senderWith()

  const hosts = ['localhost', '127.0.0.1', '[::1]', '0x7f.1', '2130706433', '169.254.169.254']
  const answers = await Promise.all(hosts.map((host) => send(`https://${host}:${port}/`)))

  const reached = answers.filter(({ error }) => !error?.includes('not on the internet'))
  expect(reached).toEqual([])
  expect(calls).toEqual([])
})

test('a name is judged by the address we connect to, not by an earlier lookup', async () => {
  const { url, calls } = await startReceiver()
  const { port } = new URL(url)
  const answers = ['93.184.216.34', '127.0.0.1']
  const asked: string[] = []
  const send = senderWith({
    resolve: (host, answer) => {
      asked.push(host)
      answer(null, [{ address: answers[asked.length] ?? '127.0.0.1', family: 4 }])
    },
  })

  const { error } = await send(`https://rebinding.example:${port}/`)

  expect(error).toContain('rebinding.example is not on the internet')
  expect(asked).toHaveLength(1)
  expect(calls).toEqual([])
})

test('a host with one internal address among others is not called', async () => {
  const send = senderWith({
    resolve: (_, answer) =>
      answer(null, [
        { address: '93.184.216.34', family: 4 },
        { address: '10.0.0.1', family: 4 },
      ]),
  })

  expect((await send('https://mixed.example/')).error).toContain('not on the internet')
})

test('a redirect is not followed', async () => {
  const { url, calls } = await startReceiver(() => 302)
  const send = senderWith({ allowedHosts: ['localhost'] })

  expect(await send(url)).toEqual({ status: 302 })
  expect(calls).toHaveLength(1)
})

test('an endpoint that does not answer in time has failed', async () => {
  const { promise, resolve } = Promise.withResolvers<number>()
  const { url } = await startReceiver(() => promise)
  const send = senderWith({ allowedHosts: ['localhost'], timeoutMs: 50 })

  expect((await send(url)).error).toBeTruthy()
  resolve(204)
})
