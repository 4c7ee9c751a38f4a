import { Health } from '@placard/contract/shared'
import type { Static } from 'typebox'
import type { Http } from './server.ts'

export interface HealthChecks {
  /** Whether the node can answer decisions. False takes it out of the load balancer. */
  isReady(): boolean
  /** By name: false degrades `/health` and takes nothing out of the load balancer. */
  probes: Readonly<Record<string, () => Promise<boolean>>>
  /** Further fields of `/health`. */
  facts?: () => Pick<Static<typeof Health>, 'queue' | 'uptime' | 'geoIp' | 'capsOff'>
}

/** Live: the process runs. Ready: it may get traffic. Health: for people. */
export function healthRoutes(http: Http, { isReady, probes, facts }: HealthChecks): void {
  http.get(
    '/health/live',
    { config: { access: 'public' }, schema: schema('isLive', 'Whether the process runs') },
    () => ({ status: 'ok' as const }),
  )
  http.get(
    '/health/ready',
    { config: { access: 'public' }, schema: schema('isReady', 'Whether the node may get traffic') },
    async (_request, reply) =>
      isReady() ? { status: 'ok' as const } : reply.code(503).send({ status: 'unavailable' }),
  )
  http.get(
    '/health',
    {
      config: { access: 'public' },
      schema: schema('health', 'Whether everything the node uses is well'),
    },
    async (_request, reply) => {
      const checks = await runProbes(probes)
      const isWell = Object.values(checks).every(Boolean)
      return reply
        .code(isWell ? 200 : 503)
        .send({ status: isWell ? 'ok' : 'degraded', ...facts?.(), checks })
    },
  )
}

async function runProbes(probes: HealthChecks['probes']): Promise<Record<string, boolean>> {
  const results = await Promise.all(
    Object.entries(probes).map(async ([name, probe]) => [name, await probe().catch(() => false)]),
  )
  return Object.fromEntries(results)
}

const schema = (operationId: string, summary: string) => ({
  operationId,
  summary,
  tags: ['health'],
  response: { 200: Health, 503: Health },
})
