import type { BlockActions } from '@placard/contract/geo-profile'
import { ShieldQuestion } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { Static } from 'typebox'
import { useRead } from '../../api/hooks.ts'
import { useSearchParams } from '../../search-params.ts'
import { When } from '../../ui/format/amounts.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { FilterSelect } from '../../ui/forms/fields.tsx'
import { EmptyState } from '../../ui/layout/states.tsx'
import { BLOCK_STATES, isPending } from './block-states.ts'
import { UserName } from './people.tsx'
import { sayCountry } from './timeline.ts'

type Action = Static<typeof BlockActions>['items'][number]

const OPTIONS = [
  { value: '', label: 'Any outcome' },
  ...Object.entries(BLOCK_STATES).map(([value, [label]]) => ({ value, label })),
]

/** Suspicious sessions of all users: blocked, waiting, or only recorded. */
export function SuspiciousSessions() {
  const [{ state = '' }, setParams] = useSearchParams()
  const [isActing, setActing] = useState(false)
  const actions = useRead<Static<typeof BlockActions>>('/internal/block-actions', {
    query: { limit: 200, state },
    everySeconds: isActing ? 1 : 30,
  })
  const acts = actions.data?.items.some(isPending) ?? false
  useEffect(() => setActing(acts), [acts])
  return (
    <>
      <div className="flex">
        <FilterSelect
          label="Outcome"
          value={state}
          onValue={(next) => setParams({ state: next })}
          options={OPTIONS}
        />
      </div>
      <Card isFlush className="overflow-hidden md:overflow-visible">
        <DataTable
          label="Suspicious sessions"
          columns={COLUMNS}
          rows={actions.data?.items ?? []}
          isLoading={actions.isPending}
          error={actions.error}
          retry={() => void actions.refetch()}
          keyOf={({ id }) => id}
          linkOf={({ user_id }) => `/trust/${user_id}`}
          empty={
            <EmptyState
              icon={ShieldQuestion}
              title="No suspicious sessions"
              text="Sessions active within hours of each other in two countries appear here, even while blocking is off."
            />
          }
        />
      </Card>
    </>
  )
}

const COLUMNS: readonly Column<Action>[] = [
  {
    name: 'person',
    label: 'User',
    cell: ({ user_id }) => <UserName id={user_id} />,
  },
  {
    name: 'countries',
    label: 'Was in',
    cell: ({ evidence: { target, against } }) => (
      <>
        {sayCountry(target.observed_country)}{' '}
        <span className="text-ink-faint">while in {sayCountry(against.observed_country)}</span>
      </>
    ),
  },
  {
    name: 'state',
    label: 'Outcome',
    width: '15rem',
    cell: ({ state }) => {
      const [words, tone] = BLOCK_STATES[state]
      return <Badge tone={tone}>{words}</Badge>
    },
  },
  {
    name: 'at',
    label: 'Time',
    width: '9rem',
    from: 'sm',
    cell: ({ created_at }) => <When at={created_at} />,
  },
]
