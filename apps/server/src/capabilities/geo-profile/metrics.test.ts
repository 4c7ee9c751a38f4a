import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { DAY_SECONDS } from '@placard/calendar'
import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { freshDatabase } from '../../testing/services/database.ts'
import { depsOn } from '../../testing/world.ts'
import { measureGeoProfile, measurePublisher, observeGeoProfile, observeIntake } from './metrics.ts'
import { addObservations } from './ingest/store-queue.ts'

const ROOT = path.join(import.meta.dirname, '../../../../..')
const silent = { info: () => {}, warn: () => {} }

async function measured() {
  const { db } = await freshDatabase()
  const deps = depsOn({ db })
  const registry = new Registry()
  const observer = observeGeoProfile(registry, silent)
  observeIntake(registry)
  measurePublisher(registry, { attempts: 3, successes: 2, failures: 1, dropped: 0 })
  const geoIp = { ageSeconds: () => DAY_SECONDS, countries: { isBundled: true } }
  measureGeoProfile(registry, { ...deps, geoIp })
  return { ...deps, registry, observer }
}

test('stage 19: every metric that a dashboard or an alert names exists', async () => {
  const { registry } = await measured()
  const files = ['deploy/alerts-geo-profile.yaml', 'deploy/grafana/geo-profile.json']
  const texts = await Promise.all(files.map((file) => readFile(path.join(ROOT, file), 'utf8')))

  const named = new Set(texts.flatMap((text) => text.match(/placard_geo\w+/g) ?? []))
  const known = new Set(registry.getMetricsAsArray().map(({ name }) => name))

  expect(named.size).toBeGreaterThan(10)
  expect([...named].filter((name) => !known.has(name))).toEqual([])
  expect([...known].filter((name) => !named.has(name))).toEqual([])
})

test('stage 19: every series of an alert starts at zero, so that the alert sees the first event', async () => {
  const { registry } = await measured()
  const alerts = await readFile(path.join(ROOT, 'deploy/alerts-geo-profile.yaml'), 'utf8')
  const series = [...alerts.matchAll(/(placard_geo_\w+_total)\{(\w+="\w+")\}/g)]
  const text = await registry.metrics()

  expect(series.length).toBeGreaterThan(1)
  for (const [, name, label] of series) expect(text).toContain(`${name}{${label}} 0`)
  for (const reason of ['full', 'failed']) {
    expect(text).toContain(`placard_geo_observations_refused_total{reason="${reason}"} 0`)
  }
})

test('stage 06: the age of the bundled file and of the operator’s own file are separate series', async () => {
  const { registry } = await measured()

  expect(await registry.metrics()).toContain(
    `placard_geoip_age_seconds{source="bundled"} ${DAY_SECONDS}`,
  )
})

test('stage 05: depth and age of the queue are measured', async () => {
  const { db, clock, registry } = await measured()
  const note = { userId: 'u', deviceSessionId: 's', ipAddress: Uint8Array.of(1, 2, 3, 4) }
  await addObservations(db, [note, note], { at: clock.now(), switchName: 'geo-profile.ingest' })
  clock.advance(90)

  const text = await registry.metrics()

  expect(text).toContain('placard_geo_queue_depth 2')
  expect(text).toContain('placard_geo_published{outcome="failures"} 1')
  await expect.poll(async () => registry.metrics()).toContain('placard_geo_queue_oldest_seconds 90')
})
