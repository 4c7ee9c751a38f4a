import { Download, Store } from 'lucide-react'
import type { ReactNode } from 'react'
import { useRead } from '../../api/hooks.ts'
import { api } from '../../api/client.ts'
import type { SellpageStats } from '../../api/types.ts'
import { useSearchParams } from '../../search-params.ts'
import { Money } from '../../ui/format/amounts.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { FilterSelect } from '../../ui/forms/fields.tsx'
import { dayBefore, dayIn, sayCount, saySharePercent } from '../../ui/format/format.ts'
import { useNow } from '../../ui/format/now.ts'
import { Page } from '../../ui/layout/page.tsx'
import { saveFile } from '../../ui/save-file.ts'
import { EmptyState } from '../../ui/layout/states.tsx'
import { notifyProblem } from '../../ui/overlays/toast.tsx'

const RANGES = [
  { value: '7', label: 'Last 7 days' },
  { value: '28', label: 'Last 28 days' },
  { value: '90', label: 'Last 90 days' },
]
const SOURCES = [
  { value: '', label: 'All sources' },
  { value: 'META', label: 'Meta' },
  { value: 'ONSITE', label: 'Own sites' },
]
const BY = [
  { value: 'sellpage', label: 'By sellpage' },
  { value: 'day', label: 'By day' },
]

/** Sales of each sellpage, by source. */
export function SellpagesPage() {
  const [params, setParams] = useSearchParams()
  const { days = '28', source = '', by = 'sellpage' } = params
  const today = dayIn(new Date(useNow(60)), 'UTC')
  const query = {
    from: dayBefore(today, Number(days) - 1),
    to: today,
    by,
    ...(source && { adSource: source }),
  }
  const stats = useRead<SellpageStats>('/ads-manager/sellpages', { query })
  const choose = (change: Record<string, string>) => setParams(change)
  return (
    <Page
      title="Sellpages"
      about="Spend, orders and conversion rates of each landing page, by source. Days in UTC."
      actions={
        <Button icon={Download} onClick={() => void exportCsv(query)}>
          Export
        </Button>
      }
    >
      <div className="flex flex-wrap gap-2">
        <FilterSelect
          label="Days"
          value={days}
          onValue={(days) => choose({ days })}
          options={RANGES}
        />
        <FilterSelect
          label="Source"
          value={source}
          onValue={(source) => choose({ source })}
          options={SOURCES}
        />
        <FilterSelect label="Rows" value={by} onValue={(by) => choose({ by })} options={BY} />
      </div>
      {stats.data?.summary.map((sum) => (
        <Totals key={sum.currency} sum={sum} />
      ))}
      <Card title="Results" isFlush>
        <DataTable
          label="Sellpages"
          columns={by === 'day' ? [DAY, ...COLUMNS] : COLUMNS}
          rows={stats.data?.rows ?? []}
          isLoading={stats.isLoading}
          error={stats.error}
          retry={() => void stats.refetch()}
          keyOf={({ sellpageId, adSource, date }) => `${sellpageId} ${adSource} ${date}`}
          empty={
            <EmptyState
              icon={Store}
              title="No figures for these days"
              text="A sellpage has figures once a campaign with a connection uses it and its channel is synced."
            />
          }
        />
      </Card>
    </Page>
  )
}

async function exportCsv(query: { readonly from: string; readonly to: string }): Promise<void> {
  try {
    const file = await api.file('/ads-manager/sellpages/export', query)
    saveFile(file)
  } catch (error) {
    notifyProblem(error)
  }
}

type Row = SellpageStats['rows'][number]
type Sum = SellpageStats['summary'][number]

function Totals({ sum }: { readonly sum: Sum }) {
  const { currency } = sum
  return (
    <dl className="flex flex-wrap gap-x-8 gap-y-2" aria-label={`Totals in ${currency}`}>
      <Total name="Spend">
        <Money micros={sum.adSpendMicros} currency={currency} />
      </Total>
      <Total name="Revenue">
        <Money micros={sum.revenueMicros} currency={currency} />
      </Total>
      <Total name="Orders">{sayCount(sum.ordersCount)}</Total>
      <Total name="ROAS">{sum.roas.toFixed(2)}</Total>
    </dl>
  )
}

function Total({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt className="text-xs text-ink-faint">{name}</dt>
      <dd className="text-lg font-semibold figures">{children}</dd>
    </div>
  )
}

const DAY: Column<Row> = {
  name: 'date',
  label: 'Day',
  width: '7rem',
  cell: ({ date }) => date,
  sortBy: ({ date }) => date ?? '',
}

const COLUMNS: readonly Column<Row>[] = [
  {
    name: 'name',
    label: 'Sellpage',
    cell: ({ name, url }) => <span title={url}>{name}</span>,
    sortBy: ({ name }) => name,
  },
  {
    name: 'source',
    label: 'Source',
    width: '6rem',
    from: 'sm',
    cell: ({ adSource }) => (adSource === 'META' ? 'Meta' : 'Own sites'),
  },
  {
    name: 'spend',
    label: 'Spend',
    width: '8rem',
    isNumber: true,
    cell: ({ adSpendMicros, currency }) => <Money micros={adSpendMicros} currency={currency} />,
    sortBy: ({ adSpendMicros }) => Number(adSpendMicros),
  },
  {
    name: 'orders',
    label: 'Orders',
    width: '6rem',
    isNumber: true,
    from: 'sm',
    cell: ({ ordersCount }) => sayCount(ordersCount),
    sortBy: ({ ordersCount }) => ordersCount,
  },
  {
    name: 'revenue',
    label: 'Revenue',
    width: '8rem',
    isNumber: true,
    from: 'md',
    cell: ({ revenueMicros, currency }) => <Money micros={revenueMicros} currency={currency} />,
    sortBy: ({ revenueMicros }) => Number(revenueMicros),
  },
  rate('cr1', 'Clicks / impressions'),
  rate('cr2', 'Orders / clicks'),
  rate('cr3', 'Orders / views'),
  {
    name: 'roas',
    label: 'ROAS',
    width: '5rem',
    isNumber: true,
    cell: ({ roas }) => roas.toFixed(2),
    sortBy: ({ roas }) => roas,
  },
]

function rate(name: 'cr1' | 'cr2' | 'cr3', label: string): Column<Row> {
  return {
    name,
    label,
    width: '9rem',
    isNumber: true,
    from: 'lg',
    cell: (row) => saySharePercent(row[name], 2),
    sortBy: (row) => row[name],
  }
}
