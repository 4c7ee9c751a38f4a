import { pino } from 'pino'
import { Registry } from 'prom-client'
import { composeApi } from './compose.ts'
import { readConfig } from './config.ts'
import { systemChance } from './platform/chance.ts'
import { systemClock } from './platform/clock.ts'
import { connect } from './platform/database/connect.ts'
import { openStorage } from './storage.ts'

/** The API as it describes itself, for those who build a client from it. Nothing is connected to. */
export async function openApiReference(): Promise<string> {
  const config = readConfig({})
  const url = 'postgres://nowhere.invalid'
  const { db, close } = connect({ url, connectionsMax: 1, statementTimeoutMs: 1_000 })
  const { http } = await composeApi({
    config,
    db,
    secrets: { jwtSecret: 'signs nothing', userKeySecret: 'hides nobody' },
    log: pino({ level: 'silent' }),
    metrics: new Registry(),
    clock: systemClock(0),
    chance: systemChance,
    storage: openStorage(config),
  })
  await http.ready()
  const description = http.swagger()
  await http.close()
  await close()
  return `${JSON.stringify(description, null, 1)}\n`
}
