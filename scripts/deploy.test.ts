import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2'
import { Deployment, StatefulSet } from 'kubernetes-models/apps/v1'
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1'
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1'
import { Namespace, Service } from 'kubernetes-models/v1'
import { expect, test, vi } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { Settings } from '../apps/server/src/settings/config.ts'
import { START_FLAGS } from '../apps/server/src/settings/start-flags.ts'
import { startPlacard } from '../apps/server/src/testing/services/process.ts'
import { freshDatabase } from '../apps/server/src/testing/services/database.ts'
import { demoTemplate } from '../apps/server/src/testing/worlds/demo.ts'
import { freePort, freshRedis } from '../apps/server/src/testing/services/redis.ts'
import { scratchFolder } from '../apps/server/src/testing/server.ts'
import { importsOf, listSources } from './imports.ts'

vi.setConfig({ testTimeout: 180_000 })

const DEPLOY = path.join(import.meta.dirname, '../deploy')
const read = (file: string) => readFile(path.join(DEPLOY, file), 'utf8')

const KINDS: Readonly<Record<string, new (manifest: never) => { validate(): void }>> = {
  Namespace,
  Service,
  StatefulSet,
  Deployment,
  HorizontalPodAutoscaler,
  PodDisruptionBudget,
  NetworkPolicy,
}

interface Manifest {
  readonly kind: string
  readonly metadata: { readonly name: string; readonly namespace?: string }
  readonly spec?: { readonly template?: { readonly spec: PodSpec } }
}

interface PodSpec {
  readonly securityContext: { readonly runAsUser: number; readonly runAsNonRoot: boolean }
  readonly containers: readonly Readonly<Record<string, unknown>>[]
}

const manifests = async () =>
  parseAllDocuments(await read('kubernetes/placard.yaml')).map(
    (document) => document.toJS() as Manifest,
  )

test('every Kubernetes manifest matches the schema of its kind', async () => {
  const all = await manifests()
  expect(new Set(all.map(({ kind }) => kind))).toEqual(new Set(Object.keys(KINDS)))

  for (const manifest of all) {
    const Kind = KINDS[manifest.kind]!
    expect(() => new Kind(manifest as never).validate()).not.toThrow()
  }
})

test('the check finds a manifest that does not match', () => {
  const bad = { metadata: { name: 'x' }, spec: { maxUnavailable: { not: 'a number' } } }

  expect(() => new PodDisruptionBudget(bad as never).validate()).toThrow('maxUnavailable')
})

test('every pod runs as an unprivileged user and has all probes', async () => {
  const pods = (await manifests()).flatMap(({ spec }) => spec?.template?.spec ?? [])
  expect(pods).toHaveLength(2)

  for (const { securityContext, containers } of pods) {
    expect(securityContext).toMatchObject({ runAsUser: 1001, runAsNonRoot: true })
    for (const container of containers) {
      expect(Object.keys(container)).toEqual(
        expect.arrayContaining(['startupProbe', 'readinessProbe', 'livenessProbe', 'resources']),
      )
    }
  }
})

test('no pod gets a token of the cluster, and no compose container has more rights than it needs', async () => {
  const specs = parseAllDocuments(await read('kubernetes/placard.yaml'))
    .map((document) => document.toJS() as { spec?: { template?: { spec: object } } })
    .flatMap(({ spec }) => spec?.template?.spec ?? [])
  const { services } = parse(await read('compose.yaml'), { merge: true }) as {
    services: Record<string, object>
  }

  expect(specs).toHaveLength(2)
  for (const spec of specs) expect(spec).toMatchObject({ automountServiceAccountToken: false })
  expect(Object.keys(services)).toHaveLength(5)
  for (const service of Object.values(services)) {
    expect(service).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    })
  }
})

test('every setting in the compose file and in the image exists', async () => {
  const compose = parse(await read('compose.yaml'), { merge: true }) as {
    services: Record<string, { image: string; environment?: Record<string, string> }>
  }
  const given = Object.values(compose.services)
    .filter(({ image }) => image === 'placard')
    .flatMap(({ environment = {} }) => Object.keys(environment))
  const [, env = ''] = /^ENV (.*)$/m.exec(await read('Dockerfile'))!
  const inImage = env.split(' ').map((pair) => pair.split('=')[0]!)

  const unknown = [...given, ...inImage].filter(
    (name) => !(name in Settings.properties) && name !== 'NODE_ENV',
  )

  expect(given.length).toBeGreaterThan(10)
  expect(unknown).toEqual([])
})

test('the image is built in stages, runs as uid 1001 and has a health check', async () => {
  const dockerfile = await read('Dockerfile')

  expect(dockerfile.match(/^FROM /gm)).toHaveLength(3)
  expect(dockerfile).toMatch(/^USER 1001:1001$/m)
  expect(dockerfile).toMatch(/^HEALTHCHECK /m)
})

test('the image installs exactly the packages of the lockfile', async () => {
  const dockerfile = await read('Dockerfile')

  expect(dockerfile.match(/\bnpm (?:ci|i|install)\b/g)).toEqual(['npm ci', 'npm ci'])
})

test('the image contains every app that the server imports', async () => {
  const dockerfile = await read('Dockerfile')
  const apps = listSources()
    .filter(({ file }) => /^apps\/(server|demo)\/src\//.test(file))
    .filter(({ file }) => !/\.test\.ts$|\/testing/.test(file))
    .flatMap(importsOf)
    .flatMap(({ to }) => /^apps\/\w+/.exec(to) ?? [])

  const missing = [...new Set(apps)].filter((app) => !dockerfile.includes(`COPY ${app} ${app}\n`))
  expect(missing).toEqual([])
})

test('the image starts Node with the same flags as `npm start`', async () => {
  const [, inImage = ''] = /^CMD (.*)$/m.exec(await read('Dockerfile'))!

  expect(JSON.parse(inImage)).toEqual(['node', ...START_FLAGS, 'apps/server/src/main.ts'])
})

test('every metric in a dashboard or alert exists after the demo has started', async () => {
  const named = metricsIn(`${await read('alerts.yaml')}${await read('grafana/placard.json')}`)
  const workerPort = await freePort()
  const { url } = await freshDatabase(await demoTemplate())
  const demo = startPlacard({
    PLACARD_HOME: await scratchFolder(),
    DATABASE_URL: url,
    REDIS_URL: (await freshRedis()).url,
    WORKER_PORT: String(workerPort),
  })
  const address = /http:\/\/127\.0\.0\.1:\d+/.exec(await demo.says('http://'))![0]

  const shown = await vi.waitFor(async () => {
    const texts = await Promise.all(
      [`${address}/metrics`, `http://127.0.0.1:${workerPort}/metrics`].map(async (url) =>
        (await fetch(url)).text(),
      ),
    )
    return new Set(texts.join('\n').match(/(?<=^# TYPE )\S+/gm))
  }, 60_000)

  expect(named.length).toBeGreaterThan(20)
  expect(named.filter((name) => !shown.has(name))).toEqual([])
})

const metricsIn = (text: string): string[] => [
  ...new Set(
    (text.match(/\bplacard_[a-z_]+/g) ?? []).map((name) =>
      name.replace(/_(bucket|count|sum)$/, ''),
    ),
  ),
]
