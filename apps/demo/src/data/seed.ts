import { sql } from 'drizzle-orm'
import {
  account,
  actorFor,
  createUser,
  enrolOperator,
  findPlatformAccount,
  type Passwords,
} from '../../../server/src/capabilities/accounts/index.ts'
import type { Database } from '../../../server/src/platform/database/connect.ts'
import { createRow, type Actor } from '../../../server/src/platform/resources/index.ts'
import { ACCOUNTS, DEMO_PASSWORD, emailOf, OPERATOR, STAFF, type UserKey } from './people.ts'
import { decideApprovals } from './seed-approvals.ts'
import { addBanners, addBuyers } from './seed-buyers.ts'
import { addCampaigns } from './seed-campaigns.ts'
import { addConnections, addElsewhere } from './seed-channels.ts'
import { addSightings } from './seed-geo.ts'
import { addInventory } from './seed-sellers.ts'
import { makeEach, type DemoDeps, type People } from './world.ts'

/**
 * Fills a new database with the demo, all or nothing. Returns false if an account exists already. Files
 * are saved before the commit; without the commit nothing refers to them.
 */
export function seedDemo(deps: DemoDeps): Promise<boolean> {
  return deps.db.transaction(async (db) => {
    await waitForTwin(db)
    if (await findPlatformAccount(db)) return false

    await sow({ ...deps, db, passwords: hashingOnce(deps.passwords) })
    return true
  })
}

const SEED_LOCK = 7_145_003

/** Nodes that start together wait for each other. The second one finds the demo complete. */
async function waitForTwin(db: Database): Promise<void> {
  await db.execute(sql`set local lock_timeout = '60s'`)
  await db.execute(sql`select pg_advisory_xact_lock(${SEED_LOCK})`)
}

/** All users have the same password, so it is hashed once: hashing is slow on purpose. */
function hashingOnce(passwords: Passwords): Passwords {
  const hashes = new Map<string, Promise<string>>()
  return {
    ...passwords,
    hash(password) {
      const hash = hashes.get(password) ?? passwords.hash(password)
      hashes.set(password, hash)
      return hash
    },
  }
}

async function sow(deps: DemoDeps): Promise<void> {
  deps.progress('Creating the demo: people, sites and placements')
  const people = await addPeople(deps)
  const inventory = await addInventory(deps, people)
  deps.progress('Creating the demo: advertisers, and drawing their banners')
  const buyers = await addBuyers(deps, { people, inventory })
  const banners = await addBanners(deps, { people, buyers })
  deps.progress('Creating the demo: campaigns, and what sites say to them')
  const desk = { actor: people.actors.adops, inventory, buyers, banners }
  const connections = await addConnections(deps, desk)
  await addCampaigns(deps, { ...desk, connections })
  await addElsewhere(deps, desk)
  await addSightings(deps, people)
  await decideApprovals(deps, { people, inventory, banners })
}

async function addPeople(deps: DemoDeps): Promise<People> {
  const operator = await enrolOperator(deps, {
    email: emailOf(OPERATOR),
    displayName: OPERATOR.displayName,
    password: DEMO_PASSWORD,
    accountName: ACCOUNTS.platform.name,
  })
  const { platform: _, ...others } = ACCOUNTS
  const platform = (await findPlatformAccount(deps.db))!.publicId
  const accounts = {
    platform,
    ...(await makeEach(others, (body) => createRow(deps, account, { body, actor: operator }))),
  }

  const passwordHash = await deps.passwords.hash(DEMO_PASSWORD)
  const actors: Partial<Record<UserKey, Actor>> = { operator }
  for (const { name, displayName, role, account } of STAFF) {
    const accountId = accounts[account]
    const body = { accountId, email: emailOf({ name }), displayName, role, passwordHash }
    actors[name] = actorFor(await createUser(deps, { body, actor: operator }))
  }
  return { accounts, actors: actors as People['actors'] }
}
