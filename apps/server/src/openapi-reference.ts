import { pino } from 'pino'
import { Registry } from 'prom-client'
import { composeApi } from './compose.ts'
import { composeServing } from './compose-serving.ts'
import { readConfig } from './config.ts'
import { systemChance } from './platform/chance.ts'
import { systemClock } from './platform/clock.ts'
import type { Database } from './platform/database/connect.ts'
import { openStorage } from './storage.ts'

/** The API as it describes itself, for those who build a client from it. */
export async function openApiReference({
  db,
  url,
}: {
  db: Database
  url: string
}): Promise<string> {
  const config = readConfig({})
  const surroundings = {
    config,
    db,
    secrets: {
      jwtSecret: 'signs nothing',
      userKeySecret: 'hides nobody',
      encryptionSecret: 'seals nothing',
    },
    log: pino({ level: 'silent' }),
    metrics: new Registry(),
    clock: systemClock(0),
    chance: systemChance,
    storage: openStorage(config),
  }
  const serving = await composeServing({
    ...surroundings,
    url,
    userKeySecret: surroundings.secrets.userKeySecret,
    geoFile: undefined,
  })
  const { http } = await composeApi({ ...surroundings, serving })
  await http.ready()
  const description = http.swagger()
  await http.close()
  await serving.stop()
  return `${JSON.stringify(description, null, 1)}\n`
}
