import { Megaphone, Plus } from 'lucide-react'
import { useCallback, useState } from 'react'
import { useList } from '../../api/hooks.ts'
import { useMay } from '../../api/me.ts'
import type { Campaign } from '../../api/types.ts'
import { useSearchParams } from '../../search-params.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { FilterSelect } from '../../ui/forms/fields.tsx'
import { sayWord } from '../../ui/format/format.ts'
import { Page } from '../../ui/layout/page.tsx'
import { SearchBox } from '../../ui/forms/search-box.tsx'
import { EmptyState } from '../../ui/layout/states.tsx'
import { DeliveryFilter } from '../delivery/delivery-mark.tsx'
import { AdvertiserFilter } from './advertiser-filter.tsx'
import { BulkBar } from './bulk/bulk-bar.tsx'
import { ExportButton, ImportButton } from './bulk/csv.tsx'
import { CAMPAIGN_COLUMNS } from './list-columns.tsx'

const STATUSES = ['draft', 'scheduled', 'active', 'paused', 'ended', 'cancelled']
const OBJECTIVES = ['awareness', 'traffic', 'engagement', 'conversions', 'sales']
const anyOf = (all: string, values: readonly string[]) => [
  { value: '', label: all },
  ...values.map((value) => ({ value, label: sayWord(value) })),
]

export function CampaignsPage() {
  const may = useMay()
  const [params, setParams] = useSearchParams()
  const { search, status, objective, advertiserId, delivery, sort = '-createdAt' } = params
  const list = useList<Campaign>('/admin/campaigns', {
    query: { search, status, objective, advertiserId, delivery, sort },
    everySeconds: 30,
  })
  const filter = filterOf({ search, status, objective, advertiserId, delivery })
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const chosen = list.rows.filter(({ id }) => selected.has(id))
  const isFiltered = Boolean(search || status || objective || advertiserId || delivery)
  return (
    <Page
      title="Campaigns"
      about="All campaigns, with today’s spend and pace. Select some to change them together."
      actions={
        <>
          <ExportButton filter={filter} />
          {may('campaigns:write') && <ImportButton />}
          {may('campaigns:write') && (
            <ButtonLink to="/campaigns/new" look="primary" icon={Plus}>
              New campaign
            </ButtonLink>
          )}
        </>
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
        <DeliveryFilter value={delivery} onValue={(state) => setParams({ delivery: state })} />
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
      {chosen.length > 0 && (
        <BulkBar
          chosen={chosen}
          filter={filter}
          hasOthers={list.hasMore || chosen.length < list.rows.length}
          onClear={() => setSelected(new Set())}
        />
      )}
      <Card isFlush className="overflow-hidden md:overflow-visible">
        <DataTable
          label="Campaigns"
          columns={CAMPAIGN_COLUMNS}
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

const CLEARED = { search: '', status: '', objective: '', advertiserId: '', delivery: '' }

/** The filter of the list without what is not set. */
const filterOf = (
  params: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(params).flatMap(([name, value]) => (value ? [[name, value]] : [])),
  )

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
