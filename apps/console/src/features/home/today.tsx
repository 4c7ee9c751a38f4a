import { useMemo, type ReactNode } from 'react'
import { usePostRead, useRead } from '../../api/hooks.ts'
import { useMay, useMe } from '../../api/me.ts'
import type { Report } from '../../api/types.ts'
import { Card } from '../../ui/layout/card.tsx'
import { Chart } from '../../ui/figures/chart.tsx'
import {
  dayBefore,
  sayCount,
  sayMoney,
  sayPercent,
  saySharePercent,
} from '../../ui/format/format.ts'
import { useNow } from '../../ui/format/now.ts'
import { ProblemState, Waiting } from '../../ui/layout/states.tsx'
import { Stat, Stats } from '../../ui/figures/stat.tsx'
import { byHour, changeOf, type TodayFigures, type HourRow, sumDay } from './today-figures.ts'

const EVERY_SECONDS = 5
const HOURS = Array.from({ length: 24 }, (_, hour) => hour)

const wallTime = (now: number, zone: string) =>
  new Date(now).toLocaleString('sv-SE', { timeZone: zone }).slice(0, 16).replace(' ', 'T')

/** Today's figures compared with yesterday, and spend by hour. */
export function Today({ zone, aside }: { readonly zone: string; readonly aside: ReactNode }) {
  const word = useMe().user?.accountKind === 'publisher' ? 'Earnings' : 'Spend'
  const now = wallTime(useNow(5), zone)
  const today = now.slice(0, 10)
  const yesterday = dayBefore(today)
  const report = usePostRead<Report>(
    '/reports/query',
    {
      dimensions: ['hour'],
      metrics: ['impressions', 'clicks', 'spendMicros', 'revenueMicros'],
      from: yesterday,
      to: today,
      timeZone: zone,
      limit: 1_000,
    },
    { everySeconds: EVERY_SECONDS },
  )
  const rows = report.data?.rows as unknown as HourRow[] | undefined
  const day = useMemo(() => rows && sumDay(rows, now, yesterday), [rows, now, yesterday])
  if (!rows || !day) {
    return report.error ? (
      <ProblemState error={report.error} retry={() => void report.refetch()} />
    ) : (
      <Waiting lines={5} />
    )
  }
  const currency = day.currency ?? 'EUR'
  return (
    <>
      <Figures day={day} currency={currency} word={word} />
      <div className="grid gap-4 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <Card title={`${word} by hour, ${currency}`} hint="Today so far, compared with yesterday">
          <Chart
            height={236}
            label={`${word} by hour today and yesterday in ${currency}`}
            x={HOURS}
            sayX={(hour) => `${String(hour).padStart(2, '0')}:00`}
            sayY={(amount) => sayMoney(BigInt(Math.round(amount * 1e6)), currency)}
            series={[
              {
                label: 'Today',
                look: 'area',
                values: byHour(rows, { day: today, currency, until: Number(now.slice(11, 13)) }),
              },
              {
                label: 'Yesterday',
                isReference: true,
                values: byHour(rows, { day: yesterday, currency }),
              },
            ]}
          />
        </Card>
        {aside}
      </div>
    </>
  )
}

interface FiguresProps {
  readonly day: TodayFigures
  readonly currency: string
  /** Advertisers spend what publishers earn. */
  readonly word: string
}

function Figures({ day, currency, word }: FiguresProps) {
  const { today, before } = day
  const none = { spend: 0n, revenue: 0n }
  const now = today.money.get(currency) ?? none
  const then = before.money.get(currency) ?? none
  const others = [...today.money].filter(([other, { spend }]) => other !== currency && spend > 0n)
  const ctr = rate(today.clicks, today.impressions)
  return (
    <Stats>
      <Stat
        label={`${word} today`}
        value={sayMoney(now.spend, currency)}
        change={changeOf(now.spend, then.spend)}
        note={others.map(([other, { spend }]) => sayMoney(spend, other)).join(' · ') || undefined}
      />
      <Stat
        label="Impressions"
        value={sayCount(today.impressions)}
        change={changeOf(today.impressions, before.impressions)}
      />
      <Stat
        label="Clicks"
        value={sayCount(today.clicks)}
        change={changeOf(today.clicks, before.clicks)}
      />
      <Stat
        label="CTR"
        value={saySharePercent(ctr, 2)}
        change={changeOf(ctr, rate(before.clicks, before.impressions))}
      />
      <Fill />
      <Stat
        label="Revenue"
        value={sayMoney(now.revenue, currency)}
        change={changeOf(now.revenue, then.revenue)}
        note="after clicks"
      />
    </Stats>
  )
}

const rate = (part: number, whole: number) => (whole === 0 ? 0 : part / whole)

interface AuctionSums {
  readonly totalAuctions: number
  readonly averageWinRate: number
}

/** The share of requests answered with an ad, for users who may see all of them. */
function Fill() {
  const may = useMay()
  const startDate = new Date(useNow(60)).toISOString().slice(0, 10)
  const sums = useRead<AuctionSums>('/admin/auctions/statistics', {
    query: { startDate },
    everySeconds: EVERY_SECONDS * 2,
    when: may('decisions:read'),
  })
  if (!may('decisions:read')) return null
  return (
    <Stat
      label="Fill rate"
      value={sums.data ? sayPercent(sums.data.averageWinRate, 1) : '—'}
      note={sums.data && `of ${sayCount(sums.data.totalAuctions)} requests`}
    />
  )
}
