import type { BudgetPacer, BudgetStatistics } from '@placard/contract/budgets'
import { Wallet } from 'lucide-react'
import type { Static } from 'typebox'
import { useList, useRead } from '../../api/hooks.ts'
import { useMay } from '../../api/me.ts'
import { Money } from '../../ui/format/amounts.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { sayPercent } from '../../ui/format/format.ts'
import { Meter } from '../../ui/figures/meter.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { Stat, Stats } from '../../ui/figures/stat.tsx'
import { Answer, EmptyState } from '../../ui/layout/states.tsx'
import { AdvertisersToday } from './advertisers-today.tsx'
import { Proofs } from './proofs.tsx'

type Pacer = Static<typeof BudgetPacer>
type Statistics = Static<typeof BudgetStatistics>

const FULL = 100
const NEARLY = 90

/** Every campaign's budget and spend of today, with links to the ledgers. */
export function BudgetsPage() {
  const may = useMay()
  const list = useList<Pacer>('/admin/budget/pacers', {
    query: { pageSize: 100, limit: undefined },
    everySeconds: 10,
  })
  return (
    <Page
      title="Budgets"
      about="Today’s budgets and spend, in each advertiser’s time zone. Spend never exceeds a budget."
    >
      <Figures />
      <Card isFlush className="overflow-hidden md:overflow-visible">
        <DataTable
          label="Today’s budgets"
          columns={COLUMNS}
          {...list}
          keyOf={({ id }) => id}
          linkOf={({ campaignId }) => `/budgets/${campaignId}`}
          empty={
            <EmptyState
              icon={Wallet}
              title="No campaign has a budget today"
              text="Create a campaign and start it."
            />
          }
        />
      </Card>
      {may('advertisers:read') && <AdvertisersToday />}
      {may('operations:read') && <Proofs />}
    </Page>
  )
}

function Figures() {
  const statistics = useRead<Statistics>('/admin/budget/statistics', { everySeconds: 10 })
  return (
    <Answer of={statistics} lines={2}>
      {({ totalCampaigns, campaignsExceeded, averageUtilization, currencies }) => (
        <Stats>
          <Stat label="Campaigns with a budget" value={totalCampaigns} />
          <Stat label="Budget used up" value={campaignsExceeded} />
          <Stat label="Average budget used" value={sayPercent(averageUtilization, 0)} />
          {currencies.slice(0, 3).map((sum) => (
            <Stat
              key={sum.currency}
              label={`Spent today, ${sum.currency}`}
              value={<Money micros={sum.totalSpentTodayMicros} currency={sum.currency} />}
              note={`${sayPercent(sum.averageUtilization, 0)} of budgets`}
            />
          ))}
        </Stats>
      )}
    </Answer>
  )
}

const toneOf = (percent: number) =>
  percent >= FULL ? 'bad' : percent >= NEARLY ? 'warn' : 'accent'

const COLUMNS: readonly Column<Pacer>[] = [
  { name: 'campaign', label: 'Campaign', cell: ({ campaignName }) => campaignName },
  {
    name: 'used',
    label: 'Budget used',
    width: '10rem',
    cell: ({ utilizationPercent, campaignName }) => (
      <Meter
        label={`${campaignName}: share of today’s budget spent`}
        share={utilizationPercent / 100}
        tone={toneOf(utilizationPercent)}
      />
    ),
  },
  {
    name: 'spent',
    label: 'Spent today',
    width: '7.5rem',
    isNumber: true,
    from: 'sm',
    sortBy: ({ spentTodayMicros }) => Number(spentTodayMicros),
    cell: ({ spentTodayMicros, currency }) => (
      <Money micros={spentTodayMicros} currency={currency} />
    ),
  },
  {
    name: 'budget',
    label: 'Daily budget',
    width: '7.5rem',
    isNumber: true,
    from: 'md',
    cell: ({ dailyBudgetMicros, currency }) => (
      <Money micros={dailyBudgetMicros} currency={currency} none="No limit" />
    ),
  },
  {
    name: 'leased',
    label: 'Reserved by servers',
    width: '7.5rem',
    isNumber: true,
    from: 'lg',
    cell: ({ leasedMicros, currency }) => <Money micros={leasedMicros} currency={currency} />,
  },
  {
    name: 'strategy',
    label: 'Pacing',
    width: '7rem',
    from: 'lg',
    cell: ({ strategy }) => (strategy === 'Smooth' ? 'Even' : 'As fast as possible'),
  },
]
