import { Plus, X, type LucideIcon } from 'lucide-react'
import { useState } from 'react'
import { usePostRead } from '../../api/hooks.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import type { Option } from '../../ui/forms/fields.tsx'
import { Menu } from '../../ui/overlays/menu.tsx'
import { Picker } from '../../ui/forms/picker.tsx'
import { type ReportQuestion, FILTERS, nameIn, questionOf, type Row } from './question.ts'

interface FiltersProps {
  readonly icon: LucideIcon
  readonly question: ReportQuestion
  readonly zone: string
  readonly onChange: (change: Partial<ReportQuestion>) => void
}

/** Filters. Each one offers the things with figures in these days, by name. */
export function Filters({ icon, question, zone, onChange }: FiltersProps) {
  const [added, setAdded] = useState<string>()
  const set = (field: string, values: readonly string[]) => {
    const { [field]: _, ...others } = question.filters
    onChange({ filters: values.length > 0 ? { ...others, [field]: values } : others })
  }
  const isUsed = (field: string) => field in question.filters || field === added
  return (
    <>
      {FILTERS.filter(({ value }) => isUsed(value)).map((filter) => (
        <span key={filter.value} className="inline-flex items-center">
          <FilterPicker
            {...{ icon, question, zone, filter }}
            isNew={filter.value === added}
            onChoose={(values) => set(filter.value, values)}
          />
          <IconButton
            label={`Remove filter: ${filter.label.toLowerCase()}`}
            icon={X}
            onClick={() => {
              set(filter.value, [])
              setAdded(undefined)
            }}
          />
        </span>
      ))}
      <Menu
        items={FILTERS.filter(({ value }) => !isUsed(value)).map(({ value, label }) => ({
          label,
          onSelect: () => setAdded(value),
        }))}
      >
        <Button icon={Plus}>Filter</Button>
      </Menu>
    </>
  )
}

interface FilterPickerProps extends Pick<FiltersProps, 'icon' | 'question' | 'zone'> {
  readonly filter: (typeof FILTERS)[number]
  readonly isNew: boolean
  readonly onChoose: (values: readonly string[]) => void
}

function FilterPicker({ icon, question, zone, filter, isNew, onChoose }: FilterPickerProps) {
  const { value: field, label } = filter
  const chosen = question.filters[field] ?? []
  const { options, isLoading } = useOptions({ question, zone, filter })
  const names = chosen.map((value) => options.find((option) => option.value === value)?.label)
  const known = names.filter((name) => name !== undefined)
  const text = chosen.length === 0 ? 'any' : known.slice(0, 2).join(', ') || `${chosen.length}`
  const more = chosen.length - Math.min(known.length, 2)
  return (
    <Picker
      label={label}
      icon={icon}
      text={`${label}: ${text}${known.length > 0 && more > 0 ? ` and ${more} more` : ''}`}
      options={options}
      chosen={chosen}
      isLoading={isLoading}
      isNew={isNew}
      onChoose={onChoose}
    />
  )
}

interface Answered {
  readonly rows: readonly Row[]
}

const BOUGHT = new Set(['advertiser', 'campaign', 'adSet', 'ad'])

/** The things with the most impressions, from the report itself, within the reader's scope. */
function useOptions({
  question,
  zone,
  filter,
}: Pick<FilterPickerProps, 'question' | 'zone' | 'filter'>) {
  const { dimension } = filter
  const hasAllChannels =
    dimension === 'channel' || (question.hasAllChannels && BOUGHT.has(dimension))
  const body = {
    ...questionOf({ ...question, filters: {}, hasAllChannels }, zone),
    dimensions: [dimension],
    metrics: ['impressions'],
    sort: [{ by: 'impressions', direction: 'desc' }],
    limit: 1_000,
    ...(dimension === 'label' && { traffic: 'all' }),
    ...(dimension === 'channel' && { timeZone: 'UTC' }),
  }
  const report = usePostRead<Answered>('/reports/query', body)
  const options = new Map<string, Option>()
  for (const row of report.data?.rows ?? []) {
    const value = row[`${dimension}Id`] ?? row[dimension]
    if (value) options.set(String(value), { value: String(value), label: nameIn(row, dimension) })
  }
  return { options: [...options.values()], isLoading: report.isPending }
}
