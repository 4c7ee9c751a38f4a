import { NO_CURRENCY } from '@placard/money'
import { REPORT_DIMENSIONS, type ReportQuery } from '@placard/contract/reports'
import { expect, test } from 'vitest'
import { writeReport } from './exports/report-file.ts'
import { answerReport, type Dated, questionOf } from './operations.ts'
import { aHistory, diceOf, type History } from '../../testing/worlds/history.ts'
import { addAccount } from '../../testing/world.ts'

const PLATFORM = { kind: 'platform', accountId: 0n } as const
const OWN_DIMENSIONS = REPORT_DIMENSIONS.filter((name) => name !== 'channel')
const RANGE = { from: '2026-06-12', to: '2026-06-16' }

const ask = (fields: Partial<Dated<ReportQuery>> = {}): Dated<ReportQuery> => ({
  dimensions: [],
  metrics: ['impressions', 'clicks', 'views', 'spendMicros'],
  ...RANGE,
  ...fields,
})

async function aReportedHistory(seed = 1): Promise<History> {
  const history = await aHistory({ seed })
  await history.addAll()
  return history
}

/** The answer to a report in plain SQL over the events. */
async function countRaw({ pool }: History, query: Dated<ReportQuery>, accountId?: bigint) {
  const { filters = {}, timeZone = 'UTC', traffic = 'valid' } = query
  const labels = filters.label ?? (traffic === 'valid' ? ['valid'] : null)
  const { rows } = await pool.query(
    `select coalesce(a.currency, '${NO_CURRENCY}') as currency,
            count(*) filter (where kind = 'i')::int as impressions,
            count(*) filter (where kind = 'c')::int as clicks,
            count(*) filter (where kind = 'v')::int as views,
            div(sum(charged_millis), 1000)::text as "spendMicros"
       from (select 'i' as kind, * from impressions union all select 'c', * from clicks
             union all select 'v', * from views) e
       left join advertisers a on a.id = e.advertiser_id
       left join campaigns c on c.id = e.campaign_id
      where (occurred_at at time zone $1)::date between $2::date and $3::date
        and ($4::text[] is null or label = any ($4))
        and ($5::text[] is null or country_code = any ($5))
        and ($6::text[] is null or device_type = any ($6))
        and ($7::uuid[] is null or c.public_id = any ($7))
        and ($8::bigint is null or a.account_id = $8)
        and ($9::uuid[] is null or site_id in (select id from sites where public_id = any ($9)))
      group by 1 order by 1`,
    [
      timeZone,
      query.from,
      query.to,
      labels,
      filters.country ?? null,
      filters.device ?? null,
      filters.campaignId ?? null,
      accountId?.toString() ?? null,
      filters.siteId ?? null,
    ],
  )
  return rows
}

const campaignIds = async ({ pool }: History): Promise<string[]> =>
  (await pool.query('select public_id from campaigns order by id')).rows.map((row) => row.public_id)

test('totals equal a plain count of the events, for any filters, zone, range and dimensions', async () => {
  const history = await aReportedHistory()
  const ids = await campaignIds(history)
  const dice = diceOf(42)
  const pick = <Value>(values: readonly Value[]) => values.filter(() => dice(2) === 0)
  const zones = ['UTC', 'Asia/Kolkata', 'Asia/Kathmandu', 'America/New_York', 'Etc/UTC']
  const some = (values: string[]) => (values.length > 0 ? values : undefined)
  const wrong: unknown[] = []

  for (let round = 0; round < 60; round++) {
    const given = {
      country: some(dice(3) === 0 ? pick(['DE', 'FR', 'IN']) : []),
      device: some(dice(3) === 0 ? pick(['mobile', 'desktop']) : []),
      label: some(dice(3) === 0 ? pick(['valid', 'bot', 'burst']) : []),
      campaignId: some(dice(3) === 0 ? pick(ids) : []),
    }
    const filters = Object.fromEntries(Object.entries(given).filter(([, values]) => values))
    const query = ask({
      dimensions: pick(OWN_DIMENSIONS).slice(0, 4),
      timeZone: zones[dice(zones.length)]!,
      from: `2026-06-1${2 + dice(3)}`,
      to: `2026-06-1${4 + dice(3)}`,
      traffic: dice(2) === 0 ? 'valid' : 'all',
      filters,
      limit: 1_000,
    })
    const { rows, totals } = await answerReport(history.db, query, PLATFORM)
    const raw = await countRaw(history, query)
    const impressions = (list: readonly object[]) =>
      list.reduce((sum, row) => sum + (row as { impressions: number }).impressions, 0)
    const isRight =
      JSON.stringify(totals) === JSON.stringify(raw) && impressions(rows) === impressions(totals)
    if (!isRight) wrong.push({ query, totals, raw })
  }

  expect(wrong).toEqual([])
})

test('an advertiser sees only its own rows in every report', async () => {
  const history = await aReportedHistory()
  const [, , rivals] = await campaignIds(history)
  const own = { kind: 'advertiser', accountId: history.accountId } as const
  const dimensions = ['campaign', 'country'] as const

  const all = await answerReport(
    history.db,
    ask({ dimensions: [...dimensions], limit: 1_000 }),
    own,
  )
  const theirs = await answerReport(history.db, ask({ filters: { campaignId: [rivals!] } }), own)

  expect(all.totals).toEqual(await countRaw(history, ask(), history.accountId))
  expect(JSON.stringify(all.rows)).not.toContain(rivals)
  expect(all.rows.length).toBeGreaterThan(3)
  expect(theirs).toMatchObject({ rows: [], totals: [] })
})

test('a publisher sees only events on its own sites in every report', async () => {
  const history = await aReportedHistory()
  const publisher = await addAccount(history.deps, 'publisher')
  const stranger = await addAccount(history.deps, 'publisher')
  const { rows: sites } = await history.pool.query(
    `with p as (
       insert into publishers (public_id, account_id, name, currency, created_at, updated_at)
       select gen_random_uuid(), a, 'P', 'EUR', now(), now() from unnest($1::bigint[]) a returning id, account_id
     )
     insert into sites (id, public_id, account_id, publisher_id, name, domain, created_at, updated_at)
     overriding system value
     select case when account_id = $2 then 7 else 8 end, gen_random_uuid(), account_id, id, 'S', 's' || id || '.example',
            now(), now() from p returning id, public_id`,
    [[publisher.id, stranger.id], publisher.id],
  )
  const site = (id: number) => sites.find((row) => Number(row.id) === id)!.public_id as string
  const own = { kind: 'publisher', accountId: publisher.id } as const
  const others = { kind: 'publisher', accountId: stranger.id } as const
  const dimensions: 'site'[][] = [[], ['site']]

  for (const asked of dimensions) {
    const { rows, totals } = await answerReport(history.db, ask({ dimensions: asked }), own)
    expect(totals).toEqual(await countRaw(history, ask({ filters: { siteId: [site(7)] } })))
    expect(rows.length).toBeGreaterThan(0)
    expect(await answerReport(history.db, ask({ dimensions: asked }), others)).toMatchObject({
      rows: [],
      totals: [],
    })
  }
  const filtered = await answerReport(history.db, ask({ filters: { siteId: [site(7)] } }), others)
  expect(filtered).toMatchObject({ rows: [], totals: [] })
})

test('a campaign’s spend equals the ledger to the micro, in total and by budget day', async () => {
  const history = await aReportedHistory()
  const query = ask({
    dimensions: ['campaign', 'budgetDay'],
    metrics: ['spendMicros'],
    limit: 1_000,
  })

  const { rows } = await answerReport(history.db, query, PLATFORM)

  const books = await history.pool.query(
    `select c.public_id as "campaignId", b.day::text as "budgetDay", b.spent_micros as "spendMicros"
       from budget_days b join campaigns c on c.id = b.owner_id
      where b.scope = 'campaign' and b.spent_micros > 0 order by c.id, b.day`,
  )
  const spent = (rows as Record<string, unknown>[])
    .filter(({ spendMicros }) => spendMicros !== '0')
    .map(({ campaignId, budgetDay, spendMicros }) => ({ campaignId, budgetDay, spendMicros }))
  expect(spent).toEqual(books.rows)
  expect(spent.length).toBeGreaterThan(2)
})

test('rows come sorted and in pages that never overlap', async () => {
  const history = await aReportedHistory()
  const query = ask({
    dimensions: ['country', 'device', 'ad'],
    sort: [{ by: 'clicks', direction: 'desc' }],
    limit: 7,
  })
  const seen: Record<string, unknown>[] = []
  let offset: number | undefined = 0
  while (offset !== undefined) {
    const page: Awaited<ReturnType<typeof answerReport>> = await answerReport(
      history.db,
      { ...query, offset },
      PLATFORM,
    )
    seen.push(...page.rows)
    offset = page.nextOffset
  }

  const whole = await answerReport(history.db, { ...query, limit: 1_000 }, PLATFORM)
  expect(seen).toEqual(whole.rows)
  const clicks = seen.map((row) => row['clicks'] as number)
  expect(clicks).toEqual(clicks.toSorted((a, b) => b - a))
})

test('the previous period is beside each row and the totals', async () => {
  const history = await aReportedHistory()
  const query = ask({
    dimensions: ['day', 'country'],
    from: '2026-06-15',
    to: '2026-06-15',
    compare: 'previous-period',
    filters: { country: ['DE', 'FR', 'IN'] },
  })

  const report = await answerReport(history.db, query, PLATFORM)

  const before = { ...query, from: '2026-06-14', to: '2026-06-14', compare: undefined }
  const earlier = await answerReport(history.db, before as never, PLATFORM)
  expect(report).toMatchObject({ previousFrom: '2026-06-14', previousTo: '2026-06-14' })
  const previousOf = (rows: readonly Record<string, unknown>[]) =>
    rows.map(({ previous, country, currency }) => ({ country, currency, ...(previous as object) }))
  const plain = (rows: readonly Record<string, unknown>[]) =>
    rows.map(({ day, ...row }) => ({ country: undefined, ...row, day: day && undefined }))
  expect(previousOf(report.rows)).toEqual(plain(earlier.rows))
  expect(previousOf(report.totals)).toEqual(plain(earlier.totals))
})

async function exported(format: 'csv' | 'json') {
  const history = await aReportedHistory()
  const question = ask({ dimensions: ['day', 'campaign', 'country'] })
  const parts: string[] = []
  await writeReport(history.db, questionOf(question, PLATFORM), {
    format,
    rowsMax: 1_000_000,
    take: async (text) => void parts.push(text),
  })
  const file = parts.join('')
  const { rows } = await answerReport(history.db, { ...question, limit: 1_000 }, PLATFORM)
  return { file, rows }
}

test('an export as JSON has every row of the report', async () => {
  const { file, rows } = await exported('json')

  expect(JSON.parse(file)).toEqual(rows)
})

test('an export as CSV has every row of the report, below a line of names', async () => {
  const { file, rows } = await exported('csv')

  const [head, ...lines] = file.trimEnd().split('\r\n')
  expect(head).toBe(
    'day,campaignId,campaignName,country,currency,impressions,clicks,views,spendMicros',
  )
  const columns = head!.split(',')
  const line = (row: object) => columns.map((name) => (row as Shown)[name] ?? '').join(',')
  expect(lines).toEqual(rows.map(line))
})

type Shown = Readonly<Record<string, string | number | null>>
