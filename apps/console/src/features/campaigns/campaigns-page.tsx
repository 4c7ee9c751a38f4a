import { Megaphone, Plus } from 'lucide-react'
import { useCallback, useMemo, useState } from 'react'
import { usePostRead, useList } from '../../api/hooks.ts'
import { useMay, useZone } from '../../api/me.ts'
import type { Campaign, Report } from '../../api/types.ts'
import { useSearchParams } from '../../search-params.ts'
import { Money, When } from '../../ui/format/amounts.tsx'
import { StatusBadge } from '../../ui/badge.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { Confirm } from '../../ui/overlays/dialog.tsx'
import { FilterSelect } from '../../ui/forms/fields.tsx'
import {
  dayBefore,
  dayIn,
  sayShortCount,
  saySharePercent,
  sayWord,
} from '../../ui/format/format.ts'
import { useNow } from '../../ui/format/now.ts'
import { Page } from '../../ui/layout/page.tsx'
import { SearchBox } from '../../ui/forms/search-box.tsx'
import { EmptyState } from '../../ui/layout/states.tsx'
import { AdvertiserFilter } from './advertiser-filter.tsx'
import { canChange, STATUS_CHANGES, type StatusChange } from './actions.ts'
import { useStatusChange } from './changes.ts'

const STATUSES = ['draft', 'scheduled', 'active', 'paused', 'ended', 'cancelled']
const OBJECTIVES = ['awareness', 'traffic', 'engagement', 'conversions', 'sales']
const anyOf = (all: string, values: readonly string[]) => [
  { value: '', label: all },
  ...values.map((value) => ({ value, label: sayWord(value) })),
]

export function CampaignsPage() {
  const may = useMay()
  const [params, setParams] = useSearchParams()
  const { search, status, objective, advertiserId, sort = '-createdAt' } = params
  const list = useList<Campaign>('/admin/campaigns', {
    query: { search, status, objective, advertiserId, sort },
    everySeconds: 30,
  })
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const delivered = useDelivered()
  const columns = useMemo(() => columnsWith(delivered), [delivered])
  const chosen = list.rows.filter(({ id }) => selected.has(id))
  const isFiltered = Boolean(search || status || objective || advertiserId)
  return (
    <Page
      title="Campaigns"
      about="All campaigns, with delivery and spend of the last 7 days."
      actions={
        may('campaigns:write') && (
          <ButtonLink to="/campaigns/new" look="primary" icon={Plus}>
            New campaign
          </ButtonLink>
        )
      }
    >
      <div className="flex flex-wrap items-center gap-2">
        <SearchBox
          label="Search campaigns"
          value={search ?? ''}
          onValue={useCallback((text) => setParams({ search: text }), [setParams])}
        />
        <FilterSelect
          label="Status"
          value={status ?? ''}
          onValue={(value) => setParams({ status: value })}
          options={anyOf('Any status', STATUSES)}
        />
        <FilterSelect
          label="Objective"
          value={objective ?? ''}
          onValue={(value) => setParams({ objective: value })}
          options={anyOf('Any objective', OBJECTIVES)}
        />
        <AdvertiserFilter
          value={advertiserId ?? ''}
          onValue={(value) => setParams({ advertiserId: value })}
        />
      </div>
      {chosen.length > 0 && <BulkBar chosen={chosen} onDone={() => setSelected(new Set())} />}
      <Card isFlush className="overflow-hidden md:overflow-visible">
        <DataTable
          label="Campaigns"
          columns={columns}
          {...list}
          keyOf={({ id }) => id}
          nameOf={({ name }) => name}
          linkOf={({ id }) => `/campaigns/${id}`}
          sort={{ by: sort, onSort: (by) => setParams({ sort: by }) }}
          {...(may('campaigns:write') && { selection: { keys: selected, onSelect: setSelected } })}
          empty={isFiltered ? <NoneFound onClear={() => setParams(CLEARED)} /> : <NoneYet />}
        />
      </Card>
    </Page>
  )
}

const CLEARED = { search: '', status: '', objective: '', advertiserId: '' }

const NoneFound = ({ onClear }: { readonly onClear: () => void }) => (
  <EmptyState
    title="No campaigns match these filters"
    text="Search matches the beginning of a word. Try fewer filters."
    action={<Button onClick={onClear}>Clear filters</Button>}
  />
)

const NoneYet = () => (
  <EmptyState
    icon={Megaphone}
    title="No campaigns yet"
    text="A campaign sets which ads to show, to whom, where, and at what budget."
    action={
      <ButtonLink to="/campaigns/new" look="primary" icon={Plus}>
        Create the first campaign
      </ButtonLink>
    }
  />
)

interface Delivered {
  readonly campaignId: string
  readonly impressions: number
  readonly ctr: number
  readonly spendMicros: string
}

/** Each campaign's delivery of the last seven days. */
function useDelivered(): ReadonlyMap<string, Delivered> {
  const zone = useZone()
  const to = dayIn(new Date(useNow(60)), zone)
  const report = usePostRead<Report>('/reports/query', {
    dimensions: ['campaign'],
    metrics: ['impressions', 'ctr', 'spendMicros'],
    from: dayBefore(to, 6),
    to,
    timeZone: zone,
    limit: 1_000,
  })
  return useMemo(() => {
    const rows = (report.data?.rows ?? []) as unknown as Delivered[]
    return new Map(rows.map((row) => [row.campaignId, row]))
  }, [report.data])
}

const columnsWith = (delivered: ReadonlyMap<string, Delivered>): Column<Campaign>[] => [
  {
    name: 'name',
    label: 'Campaign',
    sortBy: ({ name }) => name,
    cell: ({ name, advertiserName }) => (
      <>
        {name} <span className="font-normal text-ink-faint">· {advertiserName}</span>
      </>
    ),
  },
  {
    name: 'status',
    label: 'Status',
    width: '7rem',
    cell: ({ status }) => <StatusBadge status={status} />,
  },
  {
    name: 'goal',
    label: 'Objective',
    width: '9.5rem',
    from: 'lg',
    cell: ({ objective, pricing }) => (
      <>
        {sayWord(objective)} <span className="text-ink-faint uppercase">{pricing}</span>
      </>
    ),
  },
  {
    name: 'budget',
    label: 'Daily budget',
    width: '7rem',
    from: 'md',
    isNumber: true,
    cell: ({ budgetDailyMicros, currency }) => (
      <Money micros={budgetDailyMicros} currency={currency} />
    ),
  },
  {
    name: 'impressions',
    label: 'Impressions',
    width: '5.5rem',
    from: 'md',
    isNumber: true,
    cell: ({ id }) => sayShortCount(delivered.get(id)?.impressions ?? 0),
  },
  {
    name: 'ctr',
    label: 'CTR',
    width: '6rem',
    from: 'lg',
    isNumber: true,
    cell: ({ id }) => {
      const row = delivered.get(id)
      return row && row.impressions > 0 ? saySharePercent(row.ctr / 100, 2) : '—'
    },
  },
  {
    name: 'spend',
    label: 'Spend',
    width: '6.5rem',
    isNumber: true,
    from: 'sm',
    cell: ({ id, currency }) => (
      <Money micros={delivered.get(id)?.spendMicros ?? '0'} currency={currency} />
    ),
  },
  {
    name: 'createdAt',
    label: 'Created',
    width: '8.5rem',
    from: 'xl',
    sortBy: ({ createdAt }) => createdAt,
    cell: ({ createdAt }) => <When at={createdAt} />,
  },
]

const BULK: readonly StatusChange[] = ['activate', 'pause', 'end']

/** Actions for all selected campaigns. */
function BulkBar({
  chosen,
  onDone,
}: {
  readonly chosen: readonly Campaign[]
  readonly onDone: () => void
}) {
  const { change, isBusy } = useStatusChange()
  const [confirming, setConfirming] = useState(false)
  const fit = (how: StatusChange) => chosen.filter((campaign) => canChange(how, campaign))
  const run = (how: StatusChange) => {
    change(fit(how), how)
    setConfirming(false)
    onDone()
  }
  return (
    <div
      role="toolbar"
      aria-label="Selected campaigns"
      className="sticky top-2 z-30 flex flex-wrap items-center gap-2 rounded-lg bg-surface py-2 pr-2 pl-4 shadow-float appear"
    >
      <span className="mr-auto font-medium">{chosen.length} selected</span>
      {BULK.map((how) => (
        <Button
          key={how}
          disabled={fit(how).length === 0 || isBusy}
          look={how === 'end' ? 'danger' : 'secondary'}
          onClick={() => (how === 'end' ? setConfirming(true) : run(how))}
        >
          {STATUS_CHANGES[how].label} {fit(how).length > 0 && fit(how).length}
        </Button>
      ))}
      <Button look="ghost" onClick={onDone}>
        Clear selection
      </Button>
      <Confirm
        title={`End ${fit('end').length} campaigns permanently?`}
        text="Delivery stops at once and they cannot be started again. Their figures stay in the reports."
        action="End campaigns"
        isDangerous
        isOpen={confirming}
        onClose={() => setConfirming(false)}
        onConfirm={() => run('end')}
      />
    </div>
  )
}
