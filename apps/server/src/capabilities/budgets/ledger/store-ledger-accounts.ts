import type { ClientBase } from 'pg'
import { plainArray } from '../../../platform/database/arrays.ts'
import type { LedgerAccount, LedgerAccountKey, LedgerScope } from './admit-charges.ts'

/** Campaign, advertiser and day of a charge. */
export interface Payer {
  readonly campaignKey: number
  readonly advertiserKey: number
  readonly day: number
}

/** The ledger accounts of one payer, in the order in which they are locked. */
export type PayerLedgerAccounts = readonly [
  advertiserDay: LedgerAccount,
  campaignDay: LedgerAccount,
  total: LedgerAccount,
]

const DAYS_MAX = 100_000

/** One number for a campaign and a day, used as map key for every event. */
export const payerName = (campaignKey: number, day: number): number => campaignKey * DAYS_MAX + day

/**
 * Locks the ledger accounts of these payers until the transaction ends, and opens missing ones with
 * the catalogue's limits. Always in the same order, so that nodes never deadlock.
 */
export async function lockLedgerAccounts(
  client: ClientBase,
  payers: readonly Payer[],
): Promise<ReadonlyMap<number, PayerLedgerAccounts>> {
  if (payers.length === 0) return new Map()
  let accounts = await selectForUpdate(client, payers)
  const missing = payers.filter((payer) => !accountsOf(accounts, payer))
  if (missing.length > 0) {
    await openLedgerAccounts(client, missing)
    accounts = await selectForUpdate(client, payers)
  }
  return new Map(
    payers.map((payer) => {
      const found = accountsOf(accounts, payer)
      if (!found) throw new Error(`campaign ${payer.campaignKey} has no account to charge`)
      return [payerName(payer.campaignKey, payer.day), found]
    }),
  )
}

function accountsOf(accounts: ReadonlyMap<string, LedgerAccount>, payer: Payer) {
  const { campaignKey, advertiserKey, day } = payer
  const advertiserDay = accounts.get(accountName('advertiser', advertiserKey, day))
  const campaignDay = accounts.get(accountName('campaign', campaignKey, day))
  const total = accounts.get(accountName('total', campaignKey, 0))
  if (!advertiserDay || !campaignDay || !total) return undefined
  return [advertiserDay, campaignDay, total] as const
}

const accountName = (scope: LedgerScope, ownerKey: number, day: number) =>
  `${scope} ${ownerKey} ${day}`

function payerColumns(payers: readonly Payer[]): string[] {
  return [
    plainArray(payers.map(({ campaignKey }) => campaignKey)),
    plainArray(payers.map(({ advertiserKey }) => advertiserKey)),
    plainArray(payers.map(({ day }) => day)),
  ]
}

const PAYERS = `unnest($1::bigint[], $2::bigint[], $3::integer[])
    as payer (campaign_id, advertiser_id, day_number)`

/**
 * Locks all of them or none while one is not open: a transaction that opens accounts must hold no
 * other lock.
 */
const LOCK = `
  with wanted as materialized (
    select distinct 'advertiser' as scope, advertiser_id as owner_id, date 'epoch' + day_number as day
      from ${PAYERS}
    union all
    select distinct 'campaign', campaign_id, date 'epoch' + day_number from ${PAYERS}
  ), complete as materialized (
    select (select count(*) from wanted) = (select count(*) from wanted join budget_days
                                              using (scope, owner_id, day))
       and (select count(distinct campaign_id) from ${PAYERS}) = (
             select count(*) from campaign_totals where campaign_id = any ($1::bigint[])) as is_so
  ), days as materialized (
    select d.scope, d.owner_id, d.day - date 'epoch' as day,
           d.limit_micros, d.spent_micros, d.leased_micros, d.remainder_millis
      from wanted join budget_days d using (scope, owner_id, day)
     where (select is_so from complete)
     order by d.scope, d.owner_id, d.day
       for update of d
  ), totals as materialized (
    select 'total' as scope, t.campaign_id, 0 as day,
           t.limit_micros, t.spent_micros, t.leased_micros, t.remainder_millis
      from campaign_totals t
     where t.campaign_id = any ($1::bigint[]) and (select is_so from complete)
     order by t.campaign_id
       for update of t
  )
  select * from days union all select * from totals`

interface AccountRow {
  readonly scope: LedgerScope
  readonly owner_id: string
  readonly day: number
  readonly limit_micros: string | null
  readonly spent_micros: string
  readonly leased_micros: string
  readonly remainder_millis: number
}

async function selectForUpdate(client: ClientBase, payers: readonly Payer[]) {
  const { rows } = await client.query<AccountRow>({
    name: 'lock-accounts',
    text: LOCK,
    values: payerColumns(payers),
  })
  return new Map(
    rows.map((row) => {
      const account = toAccount(row)
      return [accountName(account.scope, account.ownerKey, account.day), account]
    }),
  )
}

const toAccount = (row: AccountRow): LedgerAccount => ({
  scope: row.scope,
  ownerKey: Number(row.owner_id),
  day: row.day,
  balance: {
    limitMicros: row.limit_micros === null ? undefined : BigInt(row.limit_micros),
    spentMicros: BigInt(row.spent_micros),
    leasedMicros: BigInt(row.leased_micros),
    remainderMillis: BigInt(row.remainder_millis),
  },
})

/** A campaign or an advertiser that left the catalogue has the limit zero. */
const OPEN = `
  with payers as materialized (
    select distinct campaign_id, advertiser_id, date 'epoch' + day_number as day from ${PAYERS}
  ), days as (
    insert into budget_days (scope, owner_id, day, limit_micros)
    select 'advertiser', p.advertiser_id, p.day,
           case when a.id is null then 0 else a.budget_daily_micros end
      from (select distinct advertiser_id, day from payers) p
      left join advertisers a on a.id = p.advertiser_id
    union all
    select 'campaign', p.campaign_id, p.day,
           case when c.id is null then 0 else c.budget_daily_micros end
      from payers p left join campaigns c on c.id = p.campaign_id
    order by 1, 2, 3
    on conflict do nothing
  )
  insert into campaign_totals (campaign_id, limit_micros)
  select p.campaign_id, case when c.id is null then 0 else c.budget_total_micros end
    from (select distinct campaign_id from payers) p
    left join campaigns c on c.id = p.campaign_id
   order by 1
  on conflict do nothing`

export async function openLedgerAccounts(
  client: Pick<ClientBase, 'query'>,
  payers: readonly Payer[],
): Promise<void> {
  await client.query(OPEN, payerColumns(payers))
}

/** The effect of one batch on one ledger account. */
export interface Entry extends LedgerAccountKey {
  readonly amountMicros: bigint
  readonly remainderMillis: bigint
  /** Valid impressions, for the caps of a campaign. Only on its lifetime account. */
  readonly impressions: number
  readonly clicks: number
}

/**
 * Charges of a batch for impressions that one node had reserved. Its lease shrinks by this amount.
 */
export interface LeaseCharge extends Payer {
  readonly node: string
  readonly amountMicros: bigint
}

/** Leases of locked ledger accounts change only under these locks, so reading them is enough. */
const POST = `
  with entry as materialized (
    select * from unnest($1::text[], $2::bigint[], $3::integer[], $4::bigint[], $5::smallint[],
                         $6::integer[], $7::integer[])
      as entry (scope, owner_id, day_number, amount, remainder, impressions, clicks)
  ), cut as materialized (
    select l.campaign_id, l.advertiser_id, l.day, l.node, least(l.amount_micros, c.micros) as micros
      from unnest($10::bigint[], $11::bigint[], $12::integer[], $13::text[], $14::bigint[])
        as c (campaign_id, advertiser_id, day_number, node, micros)
      join budget_leases l on l.campaign_id = c.campaign_id and l.day = date 'epoch' + c.day_number
                          and l.node = c.node and l.advertiser_id = c.advertiser_id
  ), leases as (
    update budget_leases l set amount_micros = l.amount_micros - c.micros
      from cut c
     where l.campaign_id = c.campaign_id and l.day = c.day and l.node = c.node
  ), freed as materialized (
    select 'campaign' as scope, campaign_id as owner_id, day, sum(micros) as micros
      from cut group by campaign_id, day
    union all
    select 'advertiser', advertiser_id, day, sum(micros) from cut group by advertiser_id, day
    union all
    select 'total', campaign_id, date 'epoch', sum(micros) from cut group by campaign_id
  ), change as materialized (
    select e.*, coalesce(f.micros, 0) as freed
      from entry e
      left join freed f on f.scope = e.scope and f.owner_id = e.owner_id
                       and f.day = date 'epoch' + e.day_number
  ), days as (
    update budget_days d
       set spent_micros = d.spent_micros + e.amount, remainder_millis = e.remainder,
           leased_micros = d.leased_micros - e.freed
      from change e
     where d.scope = e.scope and d.owner_id = e.owner_id and d.day = date 'epoch' + e.day_number
  ), totals as (
    update campaign_totals t
       set spent_micros = t.spent_micros + e.amount, remainder_millis = e.remainder,
           leased_micros = t.leased_micros - e.freed,
           impressions = t.impressions + e.impressions, clicks = t.clicks + e.clicks
      from change e
     where e.scope = 'total' and t.campaign_id = e.owner_id
  )
  insert into ledger_entries
         (scope, owner_id, day, entry_id, kind, amount_micros, leased_micros, created_at)
  select scope, owner_id, date 'epoch' + day_number, $8::bigint, 'settled', amount, -freed,
         $9::timestamptz
    from change
   where scope <> 'total' and (amount <> 0 or freed <> 0)`

export interface Posted {
  readonly entries: readonly Entry[]
  readonly cuts: readonly LeaseCharge[]
  /** Number of the batch: one entry per batch and budget day. */
  readonly batchId: bigint
  readonly at: Date
}

/** Only for ledger accounts this transaction has locked: remainders are set, not added. */
export async function postEntries(client: ClientBase, { entries, cuts, batchId, at }: Posted) {
  if (entries.length === 0) return
  await client.query({
    name: 'post-entries',
    text: POST,
    values: [
      plainArray(entries.map(({ scope }) => scope)),
      plainArray(entries.map(({ ownerKey }) => ownerKey)),
      plainArray(entries.map(({ day }) => day)),
      plainArray(entries.map(({ amountMicros }) => amountMicros)),
      plainArray(entries.map(({ remainderMillis }) => remainderMillis)),
      plainArray(entries.map(({ impressions }) => impressions)),
      plainArray(entries.map(({ clicks }) => clicks)),
      batchId.toString(),
      at.toISOString(),
      ...payerColumns(cuts),
      plainArray(cuts.map(({ node }) => node)),
      plainArray(cuts.map(({ amountMicros }) => amountMicros)),
    ],
  })
}
