import { usePostRead, useRead } from '../../api/hooks.ts'
import type {
  Advertiser,
  BudgetPacer,
  Campaign,
  CampaignDelivery,
  Report,
} from '../../api/types.ts'
import { Card } from '../../ui/layout/card.tsx'
import { Chart } from '../../ui/figures/chart.tsx'
import {
  dayBefore,
  dayIn,
  sayCount,
  sayMoney,
  saySharePercent,
  sayShortCount,
} from '../../ui/format/format.ts'
import { useNow } from '../../ui/format/now.ts'
import { Stat, Stats } from '../../ui/figures/stat.tsx'
import { Answer } from '../../ui/layout/states.tsx'
import { FilmCard } from '../reports/film-card.tsx'
import { type HourOfSpend, ofHours, plannedByHour, spentByHour } from './plan.ts'

const EVERY_SECONDS = 10
const ERRORS_SHOWN = 10
const HOURS = Array.from({ length: 24 }, (_, hour) => hour)
const sayHour = (hour: number) => `${String(hour).padStart(2, '0')}:00`

/** The zone of the campaign's budget days. */
export function useAdvertiserZone({ advertiserId }: Campaign): string {
  const advertiser = useRead<Advertiser>(`/admin/advertisers/${advertiserId}`)
  return advertiser.data?.timeZone ?? 'UTC'
}

export function Overview({ campaign }: { readonly campaign: Campaign }) {
  const zone = useAdvertiserZone(campaign)
  const now = new Date(useNow(30))
  const today = dayIn(now, zone)
  return (
    <>
      <Week campaign={campaign} zone={zone} today={today} />
      <div className="grid gap-4 lg:grid-cols-2">
        <Day campaign={campaign} zone={zone} today={today} />
        <FilmCard filters={{ campaignId: [campaign.id] }} zone={zone} today={today} />
        <FilmErrors campaign={campaign} />
      </div>
    </>
  )
}

/** Errors that video players reported in the last 24 hours. */
function FilmErrors({ campaign }: { readonly campaign: Campaign }) {
  const delivery = useRead<CampaignDelivery>(`/admin/tracking/delivery/${campaign.id}`, {
    everySeconds: EVERY_SECONDS * 3,
  })
  const errors = delivery.data?.videoErrors ?? []
  if (errors.length === 0) return null
  return (
    <Card title="Video errors, 24 hours" hint="VAST error codes that players report">
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-sm">
        {errors.slice(0, ERRORS_SHOWN).map(({ code, count }) => (
          <div key={code} className="contents">
            <dt className="figures">{code}</dt>
            <dd className="text-right figures">{sayCount(count)}</dd>
          </div>
        ))}
      </dl>
    </Card>
  )
}

interface PartProps {
  readonly campaign: Campaign
  readonly zone: string
  readonly today: string
}

interface Figures {
  readonly impressions: number
  readonly clicks: number
  readonly ctr: number
  readonly spendMicros: string
  readonly purchases: number
  readonly revenueMicros: string
  readonly previous?: Omit<Figures, 'previous'> | null
}

const NOTHING: Figures = {
  impressions: 0,
  clicks: 0,
  ctr: 0,
  spendMicros: '0',
  purchases: 0,
  revenueMicros: '0',
}

const changed = (now: number | string, before: number | string | undefined) =>
  before !== undefined && Number(before) > 0 ? Number(now) / Number(before) - 1 : undefined

function Week({ campaign, zone, today }: PartProps) {
  const report = usePostRead<Report>(
    '/reports/query',
    {
      dimensions: [],
      metrics: ['impressions', 'clicks', 'ctr', 'spendMicros', 'purchases', 'revenueMicros'],
      from: dayBefore(today, 6),
      to: today,
      timeZone: zone,
      filters: { campaignId: [campaign.id] },
      compare: 'previous-period',
    },
    { everySeconds: EVERY_SECONDS },
  )
  return (
    <Answer of={report} lines={2}>
      {({ totals }) => {
        const week = (totals[0] ?? NOTHING) as unknown as Figures
        const before = week.previous ?? undefined
        return (
          <Stats>
            <Stat
              label="Spend, 7 days"
              value={sayMoney(week.spendMicros, campaign.currency)}
              change={changed(week.spendMicros, before?.spendMicros)}
            />
            <Stat
              label="Impressions"
              value={sayCount(week.impressions)}
              change={changed(week.impressions, before?.impressions)}
            />
            <Stat
              label="Clicks"
              value={sayCount(week.clicks)}
              change={changed(week.clicks, before?.clicks)}
            />
            <Stat
              label="CTR"
              value={saySharePercent(week.ctr / 100, 2)}
              change={changed(week.ctr, before?.ctr)}
            />
            <Stat
              label="Purchases"
              value={sayCount(week.purchases)}
              change={changed(week.purchases, before?.purchases)}
            />
            <Stat
              label="Revenue"
              value={sayMoney(week.revenueMicros, campaign.currency)}
              change={changed(week.revenueMicros, before?.revenueMicros)}
            />
          </Stats>
        )
      }}
    </Answer>
  )
}

/** Today: spend against the plan, and delivery hour by hour. */
function Day({ campaign, zone, today }: PartProps) {
  const { id, currency } = campaign
  const report = usePostRead<Report>(
    '/reports/query',
    {
      dimensions: ['hour'],
      metrics: ['impressions', 'clicks', 'spendMicros'],
      from: today,
      to: today,
      timeZone: zone,
      filters: { campaignId: [id] },
      limit: 100,
    },
    { everySeconds: EVERY_SECONDS },
  )
  const pacer = useRead<BudgetPacer>(`/admin/budget/campaigns/${id}`, {
    everySeconds: EVERY_SECONDS,
  })
  const hour = Number(
    new Date(useNow(60)).toLocaleString('en-GB', {
      timeZone: zone,
      hour: '2-digit',
      hour12: false,
    }),
  )
  const rows = (report.data?.rows ?? []) as unknown as HourOfSpend[]
  const daily = pacer.data?.dailyBudgetMicros
  const sayAmount = (amount: number) => sayMoney(BigInt(Math.round(amount * 1e6)), currency)
  return (
    <>
      <Card
        title="Spend against plan today"
        hint={daily ? `Daily budget ${sayMoney(daily, currency)}` : 'No daily budget set'}
      >
        <Chart
          label="Today’s spend by hour against an even plan"
          x={HOURS}
          sayX={sayHour}
          sayY={sayAmount}
          series={[
            { label: 'Spend', look: 'area', values: spentByHour(rows, hour) },
            ...(daily
              ? [{ label: 'Even plan', isReference: true, values: plannedByHour(daily) }]
              : []),
          ]}
        />
      </Card>
      <Card title="Impressions by hour today" hint={`Hours in ${zone}`}>
        <Chart
          label="Today’s impressions by hour"
          x={HOURS}
          sayX={sayHour}
          sayY={sayShortCount}
          isCount
          series={[
            {
              label: 'Impressions',
              look: 'bars',
              values: ofHours(rows, hour, ({ impressions }) => impressions),
            },
          ]}
        />
      </Card>
    </>
  )
}
