import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Pool } from 'pg'
import { pino } from 'pino'
import { Registry } from 'prom-client'
import { composeApi } from '../compose/api.ts'
import { apiBaseOf, baseOf } from '../compose/base.ts'
import { composeServing } from '../compose/serving.ts'
import { readConfig } from '../settings/config.ts'
import { systemRandom } from '../platform/random.ts'
import { systemClock } from '../platform/clock.ts'
import type { Database } from '../platform/database/connect.ts'
import { openStorage } from '../compose/storage.ts'

/** The description of the API, for people who write a client. */
export async function openApiReference({
  db,
  pool,
  url,
}: {
  db: Database
  pool: Pool
  url: string
}): Promise<string> {
  const home = await mkdtemp(path.join(tmpdir(), 'placard-openapi-'))
  const config = readConfig({ PLACARD_HOME: home })
  const base = apiBaseOf(
    baseOf({
      config,
      db,
      pool,
      url,
      secrets: {
        jwtSecret: 'signs nothing',
        userKeySecret: 'hides nobody',
        encryptionSecret: 'seals nothing',
        trackingKeys: '1:seals-nothing-that-anybody-would-open',
      },
      log: pino({ level: 'silent' }),
      metrics: new Registry(),
      clock: systemClock(0),
      random: systemRandom,
    }),
    { storage: openStorage(config) },
  )
  const serving = await composeServing(base)
  const { http, stop } = await composeApi(base, serving)
  await http.ready()
  const description = http.swagger()
  await stop()
  await serving.stop()
  await rm(home, { recursive: true })
  return `${JSON.stringify(description, null, 1)}\n`
}
