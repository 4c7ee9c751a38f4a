import { Pool } from 'pg'
import { signIn, type World } from '../../apps/console/journeys/world.ts'
import { median, rounded, say } from '../scratch.ts'

const ADVERTISERS = 5_000
const CAMPAIGNS = 50_000
const USERS = 200

/** A business of that size: each campaign of the last half spent something on each of the last seven days. */
export async function fillBusiness({ databaseUrl }: World): Promise<void> {
  const pool = new Pool({ connectionString: databaseUrl })
  try {
    for (const statement of STATEMENTS) await pool.query(statement)
  } finally {
    await pool.end()
  }
}

const STATEMENTS = [
  `insert into users (public_id, account_id, email, display_name, role, password_hash, created_at, updated_at)
   select gen_random_uuid(), (select id from accounts where kind = 'platform' order by id limit 1),
          'person' || n || '@size.example', 'Person ' || n, 'ad-ops', 'none', now(), now()
     from generate_series(1, ${USERS}) n`,
  `insert into advertisers (public_id, account_id, name, currency, time_zone, created_at, updated_at)
   select gen_random_uuid(), (select id from accounts where kind = 'advertiser' order by id limit 1),
          'Advertiser ' || n, 'EUR', case n % 3 when 0 then 'Europe/Berlin' when 1 then 'America/New_York' else 'UTC' end,
          now(), now()
     from generate_series(1, ${ADVERTISERS}) n`,
  `insert into campaigns (public_id, account_id, advertiser_id, name, status, max_bid_micros, budget_daily_micros,
                          contract_ref, starts_at, ends_at, created_at, updated_at)
   select gen_random_uuid(), a.account_id, a.id, 'Campaign ' || n, 'draft',
          5000000, 10000000 + n, 'IO-' || n, now() - interval '1 day' * (n % 90), now() + interval '1 day' * (n % 90 + 1),
          now(), now()
     from generate_series(1, ${CAMPAIGNS}) n
     join advertisers a on a.name = 'Advertiser ' || (n % ${ADVERTISERS} + 1)`,
  `insert into budget_days (scope, owner_id, day, spent_micros)
   select 'campaign', c.id, current_date - d, (c.id * 7919) % 9000000
     from campaigns c, generate_series(0, 6) d
    where c.name like 'Campaign %' and c.id % 2 = 0
   on conflict do nothing`,
  `update campaigns set status = case when id % 4 = 0 then 'paused' else 'active' end where name like 'Campaign %'`,
  'vacuum analyze',
]

/** What the list of campaigns asks for: every order, filters and searches. */
const LISTS = [
  '',
  'sort=name',
  'sort=-status',
  'sort=advertiserName',
  'sort=endsAt',
  'sort=-budgetDailyMicros',
  'sort=-spentTodayMicros',
  'sort=-spentWeekMicros',
  'sort=pace',
  'status=active&sort=pace',
  'search=campaign&sort=-spentTodayMicros',
  'search=advertiser%20499',
  'search=IO-4711',
]

const ROUNDS = 7

/** The median of a few, after one that warms up. */
const typical = async (name: string, once: () => Promise<number>) => {
  await once()
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++) times.push(await once())
  say(`${name.padEnd(44)} ${rounded(median(times))} ms`)
  return median(times)
}

/** Server time of the list in each order, of the search for anything, and of all that Home asks for. */
export async function measureSize(world: World) {
  const { accessToken } = JSON.parse(await signIn(world.address, 'adops')) as {
    accessToken: string
  }
  const ask = async (path: string, body?: object) => {
    const start = performance.now()
    const answer = await fetch(`${world.address}/api/v1${path}`, {
      headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${text}`)
    return performance.now() - start
  }
  const lists: number[] = []
  for (const query of LISTS) {
    lists.push(await typical(`list ${query}`, () => ask(`/admin/campaigns?limit=100&${query}`)))
  }
  const findMs = await typical('find anything', () => ask('/admin/search?search=advertiser'))
  const homeMs = await typical('Home', async () => {
    const times = await Promise.all(HOME.map(([path, body]) => ask(path, body)))
    return Math.max(...times)
  })
  return { listMs: rounded(Math.max(...lists)), findMs: rounded(findMs), homeMs: rounded(homeMs) }
}

const today = new Date().toISOString().slice(0, 10)
const HOME: readonly (readonly [string, object?])[] = [
  [
    '/reports/query',
    {
      dimensions: ['hour'],
      metrics: ['impressions', 'clicks', 'spendMicros', 'revenueMicros'],
      from: today,
      to: today,
      limit: 1_000,
    },
  ],
  ['/admin/campaigns?status=active&sort=pace&limit=12'],
  ['/ads-manager/alerts?limit=50'],
  ['/admin/creative-approvals?status=pending&limit=50'],
  ['/admin/proposals?status=pending&limit=50'],
  ['/admin/sites?domainState=unproven&isActive=true&limit=50'],
]
