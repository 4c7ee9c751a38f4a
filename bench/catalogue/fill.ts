import type { Pool } from 'pg'
import { account, findPlatformAccount } from '../../apps/server/src/capabilities/accounts/index.ts'
import { advertiser, importCampaigns } from '../../apps/server/src/capabilities/campaigns/index.ts'
import { openContentTaxonomy } from '../../apps/server/src/capabilities/contextual/classify/reference-data.ts'
import {
  createRow,
  type Actor,
  type ResourceDeps,
  type Values,
} from '../../apps/server/src/platform/resources/index.ts'
import { median, rounded, say } from '../scratch.ts'

export const CAMPAIGNS = 100_000
const CHUNK = 10_000
const ACCOUNTS = 40
const ADVERTISERS_PER_ACCOUNT = 5

export interface Buyers {
  readonly platformId: string
  readonly accountIds: readonly string[]
  readonly advertiserIds: readonly string[]
}

export async function addBuyers(deps: ResourceDeps, actor: Actor): Promise<Buyers> {
  const advertiserIds: string[] = []
  const accountIds: string[] = []
  const platform = await findPlatformAccount(deps.db)
  for (let a = 0; a < ACCOUNTS; a++) {
    const body = { kind: 'advertiser', name: `Account ${a}` }
    const owner = await createRow(deps, account, { body, actor })
    accountIds.push(String(owner.publicId))
    for (let n = 0; n < ADVERTISERS_PER_ACCOUNT; n++) {
      const body = { accountId: owner.publicId, name: `Advertiser ${a}.${n}`, currency: 'EUR' }
      advertiserIds.push(String((await createRow(deps, advertiser, { body, actor })).publicId))
    }
  }
  return { platformId: platform!.publicId, accountIds, advertiserIds }
}

const SEASONS = ['Autumn', 'Winter', 'Spring', 'Summer', 'Easter', 'Holiday', 'School', 'Travel']
const THINGS = ['shoes', 'coffee', 'lamps', 'garden', 'audio', 'books', 'bicycles', 'islands']
const OBJECTIVES = ['awareness', 'traffic', 'engagement', 'conversions', 'sales']

/** A word in the names of five campaigns, far apart. */
export const RARE_WORD = 'zeppelin'

/** The first advertiser has two of five campaigns, the last one of a thousand. */
function ownerOf(n: number, count: number): number {
  if (n % 1_000 === 0) return count - 1
  return n % 5 < 2 ? 0 : 1 + (n % (count - 2))
}

const CATEGORIES = [...openContentTaxonomy().categories.keys()]

function bodyOf(n: number, { advertiserIds }: Buyers): Values {
  const owner = ownerOf(n, advertiserIds.length)
  const rare = n % 20_000 === 777 ? ` ${RARE_WORD}` : ''
  return {
    advertiserId: advertiserIds[owner],
    name: `${SEASONS[n % 8]} ${THINGS[(n >> 3) % 8]} ${(n * 7_919) % 100_000}${rare}`,
    description: 'Booked by import, to be reviewed before it starts.',
    source: n % 9 === 0 ? 'affiliate' : 'sponsored',
    channel: n % 2_500 === 0 ? 'meta' : 'onsite',
    objective: OBJECTIVES[n % OBJECTIVES.length],
    pricing: n % 3 === 0 ? 'cpc' : 'cpm',
    maxBidMicros: String(1_000_000 + (n % 500) * 10_000),
    budgetDailyMicros: String(50_000_000 + (n % 90) * 1_000_000),
    categories: [CATEGORIES[n % CATEGORIES.length]!],
    adProductCategory: '1070',
    externalId: `ext-${n}`,
    startsAt: '2030-01-01T00:00:00Z',
    endsAt: '2030-03-01T00:00:00Z',
    priority: n % 10,
  }
}

export interface ImportFigures {
  readonly importPerSecond: number
  readonly baseline: { readonly copyPerSecond: number; readonly ratio: number }
}

/**
 * Imports in chunks. After each chunk, a bare COPY writes the same rows from a file on the server into a
 * copy of the table with all indexes and checks, but without triggers and foreign keys. Both tables
 * grow equally. The medians count.
 */
export async function importAll(
  deps: ResourceDeps,
  { actor, buyers, pool }: { actor: Actor; buyers: Buyers; pool: Pool },
): Promise<ImportFigures> {
  await pool.query('create table campaigns_twin (like campaigns including all)')
  const imports: number[] = []
  const copies: number[] = []
  for (let start = 0; start < CAMPAIGNS; start += CHUNK) {
    const bodies = Array.from({ length: CHUNK }, (_, n) => bodyOf(start + n, buyers))
    const importing = () =>
      deps.db.transaction((db) => importCampaigns({ ...deps, db }, { bodies, actor }))
    imports.push(await rowsPerSecond(importing))
    const copying = await prepareCopy(pool)
    copies.push(await rowsPerSecond(copying))
    const [imported, copied] = [imports.at(-1)!, copies.at(-1)!].map(Math.round)
    say(`${start + CHUNK} campaigns: import ${imported}/s, COPY ${copied}/s`)
  }
  await pool.query('drop table campaigns_twin')
  const ratios = imports.map((rate, index) => rate / copies[index]!)
  return {
    importPerSecond: Math.round(median(imports)),
    baseline: { copyPerSecond: Math.round(median(copies)), ratio: rounded(median(ratios), 2) },
  }
}

async function rowsPerSecond(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return (CHUNK * 1_000) / (performance.now() - start)
}

/** Writes the rows that the copy lacks to a file, and returns a function that copies them. */
async function prepareCopy(pool: Pool) {
  const { rows } = await pool.query(
    `select current_setting('data_directory') || '/rows.copy' as file,
            coalesce((select max(id) from campaigns_twin), 0) as last`,
  )
  const { file, last } = rows[0]
  await pool.query(`copy (select * from campaigns where id > ${last}) to '${file}'`)
  return () => pool.query(`copy campaigns_twin from '${file}'`)
}
