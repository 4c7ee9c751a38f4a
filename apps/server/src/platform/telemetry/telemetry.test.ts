import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { metricsAccess } from '../../compose/base.ts'
import { readConfig } from '../../settings/config.ts'
import { addKey, addUser, signInAs, startServer } from '../../testing/server.ts'
import { addAccount } from '../../testing/world.ts'
import { createMetrics } from './metrics.ts'
import { serverOfNothing } from '../../testing/http.ts'
import { startTracing } from './tracing.ts'

describe('/metrics', () => {
  test('counts requests by route and code, with no id among the labels', async () => {
    const { http } = await startServer()
    await http.inject({ url: '/health/live' })
    await http.inject({ url: '/api/v1/admin/brands/019ecb27-2200-7000-8000-5d64b0398250' })
    await http.inject({ url: '/nowhere/17' })
    await http.inject({ url: '/nowhere/17', method: 'POST' })

    const { body, headers } = await http.inject({ url: '/metrics' })

    expect(headers['content-type']).toContain('text/plain')
    expect(body).toContain(
      'placard_request_duration_seconds_count{method="GET",route="/health/live",code="200"} 1',
    )
    expect(body).toContain('route="/api/v1/admin/brands/:brandId",code="401"')
    expect(body).toContain('method="GET",route="/*",code="404"')
    expect(body).toContain('method="POST",route="unknown",code="404"')
    expect(body).not.toContain('nowhere')
    expect(body).not.toContain('019ecb27')
  })

  test('tells which program runs, and how it is', async () => {
    const metrics = await createMetrics('1.2.3').metrics()

    expect(metrics).toContain('placard_build_info{version="1.2.3"')
    expect(metrics).toContain('placard_process_resident_memory_bytes')
  })

  test('is open in the demo alone, unless the operator says', () => {
    const demo = readConfig({})
    const production = { ...demo, PLACARD_MODE: 'production' as const }

    expect(metricsAccess(demo)).toBe('public')
    expect(metricsAccess(production)).toBe('operations:read')
    expect(metricsAccess({ ...demo, METRICS_ACCESS: 'operations:read' })).toBe('operations:read')
    expect(metricsAccess({ ...production, METRICS_ACCESS: 'open' })).toBe('public')
  })

  test('where it is closed, opens to those who run the platform', async () => {
    const server = await startServer({ METRICS_ACCESS: 'operations:read' })
    const account = await addAccount(server.deps, 'platform')
    const { email } = await addUser(server.deps, 'advertiser')
    const ask = async (headers: Record<string, string>) =>
      (await server.http.inject({ url: '/metrics', headers })).statusCode

    expect(await ask(await addKey(server, { account, scopes: ['operations:read'] }))).toBe(200)
    expect(await ask((await signInAs(server, email)).headers)).toBe(403)
    expect(await ask({})).toBe(401)
  })
})

test('with a collector configured, each request is a span of the trace that it came with', async () => {
  const received: string[] = []
  const collector = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      received.push(`${request.url} ${body}`)
      response.setHeader('content-type', 'application/json').end('{}')
    })
  }).listen(0, '127.0.0.1')
  await once(collector, 'listening')
  onTestFinished(() => void collector.close())
  const { port } = collector.address() as AddressInfo
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
  const tracing = startTracing({ endpoint: `http://127.0.0.1:${port}/`, role: 'api' })
  const http = await serverOfNothing()
  await tracing.attach(http)
  http.get('/traced', { config: { access: 'public' }, schema: { hide: true } }, () => ({}))

  await http.inject({
    url: '/traced',
    headers: { traceparent: `00-${traceId}-00f067aa0ba902b7-01` },
  })
  await tracing.stop()

  expect(received.join('\n')).toContain('/v1/traces')
  expect(received.join('\n')).toContain(traceId)
  expect(received.join('\n')).toContain('placard-api')
  expect(received.join('\n')).toContain('/traced')
})
