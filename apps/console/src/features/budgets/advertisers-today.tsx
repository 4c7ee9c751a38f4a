import { useList } from '../../api/hooks.ts'
import type { Advertiser } from '../../api/types.ts'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { Meter } from '../../ui/figures/meter.tsx'
import { Money } from '../../ui/format/amounts.tsx'
import { Card } from '../../ui/layout/card.tsx'

/** Each advertiser's spend of its today, over all campaigns. */
export function AdvertisersToday() {
  const list = useList<Advertiser>('/admin/advertisers', {
    query: { sort: 'name' },
    everySeconds: 10,
  })
  return (
    <Card title="Advertisers" hint="All campaigns together" isFlush>
      <DataTable
        label="Spend of advertisers today"
        columns={COLUMNS}
        {...list}
        keyOf={({ id }) => id}
        empty={null}
      />
    </Card>
  )
}

const shareOf = ({ spentTodayMicros, budgetDailyMicros }: Advertiser) =>
  budgetDailyMicros === null || budgetDailyMicros === '0'
    ? undefined
    : Number(spentTodayMicros) / Number(budgetDailyMicros)

const COLUMNS: Column<Advertiser>[] = [
  { name: 'name', label: 'Advertiser', cell: ({ name }) => name },
  {
    name: 'used',
    label: 'Budget used',
    width: '10rem',
    cell: (advertiser) => {
      const share = shareOf(advertiser)
      const label = `${advertiser.name}: share of today’s budget spent`
      return share === undefined ? '—' : <Meter label={label} share={share} />
    },
  },
  {
    name: 'spent',
    label: 'Spent today',
    width: '7.5rem',
    isNumber: true,
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
    cell: ({ budgetDailyMicros, currency }) => (
      <Money micros={budgetDailyMicros} currency={currency} none="No limit" />
    ),
  },
  {
    name: 'zone',
    label: 'Its day is in',
    width: '10rem',
    from: 'lg',
    cell: ({ timeZone }) => timeZone,
  },
]
