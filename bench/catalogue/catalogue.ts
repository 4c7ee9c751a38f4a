import path from 'node:path'
import type { Pool } from 'pg'
import {
  argon2Passwords,
  auditTo,
  createKey,
  enrolOperator,
} from '../../apps/server/src/capabilities/accounts/index.ts'
import { diskStorage } from '../../apps/server/src/capabilities/creatives/index.ts'
import { composeApi } from '../../apps/server/src/compose/api.ts'
import { apiBaseOf, baseOf } from '../../apps/server/src/compose/base.ts'
import { readConfig } from '../../apps/server/src/settings/config.ts'
import { systemRandom } from '../../apps/server/src/platform/random.ts'
import { systemClock } from '../../apps/server/src/platform/clock.ts'
import type { Database } from '../../apps/server/src/platform/database/connect.ts'
import { idsFrom } from '../../apps/server/src/platform/ids.ts'
import type { Actor, ResourceDeps } from '../../apps/server/src/platform/resources/index.ts'
import { createMetrics } from '../../apps/server/src/platform/telemetry/metrics.ts'
import { silentLog } from '../../apps/server/src/testing/silent-log.ts'
import { onScratchDatabase, say, type Scratch } from '../scratch.ts'
import { SECRETS } from '../secrets.ts'
import { addBuyers, CAMPAIGNS, importAll, type Buyers } from './fill.ts'
import { deepCases, listCases, measureLists, type Asker, type ListCase } from './lists.ts'
import { tellPlans, type Statement } from './plans.ts'

/** Imports 100,000 campaigns, then reads lists of them over the API in every way. */
export function measureCatalogue(): Promise<object> {
  return onScratchDatabase(async (scratch) => {
    const { db, pool } = scratch
    const deps = depsOn(db)
    const actor = await enrolOperator(deps, {
      email: 'operator@bench.example',
      displayName: 'Bench',
      password: 'only for an hour',
      accountName: 'Bench',
    })
    const buyers = await addBuyers(deps, actor)
    say(`Importing ${CAMPAIGNS} campaigns`)
    const imported = await importAll(deps, { actor, buyers, pool })
    await spreadStates(pool)

    const listMs = await askForLists(scratch, { deps, actor, buyers })
    return { listMs, ...imported }
  })
}

const clock = systemClock()
const ids = idsFrom({ clock, random: systemRandom })

const depsOn = (db: Database) => ({
  db,
  clock,
  ids,
  random: systemRandom,
  audit: auditTo({ ids, clock }),
  passwords: argon2Passwords(),
})

/** An import creates drafts. A catalogue in use has other states too, some of them rarely. */
async function spreadStates(pool: Pool): Promise<void> {
  await pool.query(
    `update campaigns set status = case
       when id % 1000 = 1 then 'scheduled'
       when id % 20 = 2 then 'draft'
       when id % 10 = 3 then 'paused'
       when id % 4 = 0 then 'ended'
       else 'active' end`,
  )
  // Autovacuum does this within a minute.
  await pool.query('vacuum analyze')
}

interface ListRequest {
  readonly deps: ResourceDeps
  readonly actor: Actor
  readonly buyers: Buyers
}

async function askForLists(scratch: Scratch, { deps, actor, buyers }: ListRequest) {
  const asked: Statement[] = []
  const { db } = scratch.watch((text, parameters) => {
    if (text.includes('from "campaigns"')) asked.push({ text, parameters })
  })
  const base = baseOf({
    ...scratch,
    db,
    config: readConfig({ LOG_LEVEL: 'silent', RATE_LIMIT_PERMITS_PER_MINUTE: '1000000' }),
    secrets: SECRETS,
    log: silentLog(),
    metrics: createMetrics('bench'),
    clock,
    random: systemRandom,
  })
  const storage = diskStorage(path.join(scratch.folder, 'assets'))
  const { http, stop } = await composeApi(apiBaseOf(base, { storage }))
  const headers = await keysFor(deps, { actor, buyers })
  const ask = async ({ query, asker = 'platform' }: ListCase) => {
    const url = `/api/v1/admin/campaigns?${query}`
    const { statusCode, body } = await http.inject({ url, headers: headers[asker] })
    if (statusCode !== 200) throw new Error(`${url} answered ${statusCode}: ${body}`)
  }
  const cases = [...listCases(buyers), ...(await deepCases(http, headers.platform))]
  for (const list of cases) {
    asked.length = 0
    await ask(list)
    await tellPlans(scratch.pool, `${list.name} ${list.query}`, asked)
  }
  say('')
  const figures = await measureLists(ask, cases)
  await stop()
  return figures
}

async function keysFor(
  deps: ResourceDeps,
  { actor, buyers }: { actor: Actor; buyers: Buyers },
): Promise<Record<Asker, Record<string, string>>> {
  const keyOf = async (accountId: string) => {
    const body = { name: 'bench', accountId, scopes: ['campaigns:read'] }
    return { 'x-api-key': (await createKey(deps, { body, actor })).key }
  }
  const { platformId, accountIds } = buyers
  return {
    platform: await keyOf(platformId),
    hugeTenant: await keyOf(accountIds[0]!),
    tenant: await keyOf(accountIds[7]!),
    smallTenant: await keyOf(accountIds.at(-1)!),
  }
}
