import type { SettingInForce, SettingList } from '@placard/contract/operations'
import { SlidersHorizontal } from 'lucide-react'
import type { Static } from 'typebox'
import { useRead } from '../../api/hooks.ts'
import { useSearchParams } from '../../search-params.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { FilterSelect } from '../../ui/forms/fields.tsx'
import { SearchBox } from '../../ui/forms/search-box.tsx'
import { EmptyState } from '../../ui/layout/states.tsx'

type Row = Static<typeof SettingInForce>

const SOURCES = [
  { value: '', label: 'All settings' },
  { value: 'environment', label: 'Set in the environment' },
  { value: 'default', label: 'Defaults' },
]

/** Settings of the server that answers. */
export function Settings() {
  const [params, setParams] = useSearchParams()
  const { setting = '', source = '' } = params
  const settings = useRead<Static<typeof SettingList>>('/admin/settings')
  const rows = (settings.data?.items ?? [])
    .filter(
      (row) =>
        (source === '' || row.source === source) &&
        `${row.name} ${row.about}`.toLowerCase().includes(setting.toLowerCase()),
    )
    .map((row) => ({ ...row, about: row.about.replaceAll('`', '') }))
  return (
    <>
      <div className="flex flex-wrap gap-2">
        <SearchBox
          label="Search settings"
          value={setting}
          onValue={(text) => setParams({ setting: text })}
        />
        <FilterSelect
          label="Source"
          value={source}
          onValue={(next) => setParams({ source: next })}
          options={SOURCES}
        />
      </div>
      <Card
        title="Current settings"
        hint="Read from the environment when this server started. To change one, set it there and restart."
        isFlush
      >
        <DataTable
          label="Settings"
          columns={COLUMNS}
          rows={rows}
          isLoading={settings.isPending}
          error={settings.error}
          retry={() => void settings.refetch()}
          keyOf={({ name }) => name}
          empty={
            <EmptyState
              icon={SlidersHorizontal}
              title="No settings found"
              action={
                <Button onClick={() => setParams({ setting: '', source: '' })}>Show all</Button>
              }
            />
          }
        />
      </Card>
    </>
  )
}

const COLUMNS: Column<Row>[] = [
  {
    name: 'name',
    label: 'Setting',
    width: '20rem',
    sortBy: ({ name }) => name,
    cell: ({ name, about }) => (
      <span title={about} className="font-mono text-xs">
        {name}
      </span>
    ),
  },
  {
    name: 'value',
    label: 'Value',
    width: '14rem',
    cell: (row) => <Value {...row} />,
  },
  {
    name: 'source',
    label: 'Source',
    width: '8rem',
    from: 'md',
    sortBy: ({ source }) => source,
    cell: ({ source }) =>
      source === 'environment' ? <Badge tone="accent">Environment</Badge> : <Badge>Default</Badge>,
  },
  {
    name: 'about',
    label: 'Description',
    from: 'lg',
    cell: ({ about }) => (
      <span title={about} className="text-ink-faint">
        {about}
      </span>
    ),
  },
]

/** A secret only shows whether it is set. */
function Value({ value, isSet, isSecret }: Row) {
  if (isSecret) return isSet ? <Badge tone="good">Set, secret</Badge> : <Badge>Not set</Badge>
  if (!isSet) return <span className="text-ink-faint">Not set</span>
  return (
    <span title={value ?? ''} className="font-mono text-xs">
      {value}
    </span>
  )
}
