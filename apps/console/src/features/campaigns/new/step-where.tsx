import { useCallback, useState } from 'react'
import { useList } from '../../../api/hooks.ts'
import { useMay } from '../../../api/me.ts'
import type { BookablePlacement } from '../../../api/types.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { AreaField, CheckField } from '../../../ui/forms/fields.tsx'
import { SearchBox } from '../../../ui/forms/search-box.tsx'
import { sayMoney, sayShortCount } from '../../../ui/format/format.ts'
import { EmptyState, ProblemState, Waiting } from '../../../ui/layout/states.tsx'
import { MODE_NAMES } from '../../inventory/modes.ts'
import { FaultNotes } from './fault-notes.tsx'
import { type StepProps, toggled } from './step.ts'

export function WhereStep(props: StepProps) {
  const { draft, onChange, world, faultsOf, onMend } = props
  const [search, setSearch] = useState('')
  const isSeller = useMay()('assignments:write')
  const list = useList<BookablePlacement>('/admin/bookable-placements', {
    query: { search, ...(!isSeller && { currency: world.currency }) },
    pageSize: 50,
  })
  // Chosen ones that the list does not show, so that ticking a row moves none.
  const beside = world.placements.filter(({ id }) => list.rows.every((row) => row.id !== id))
  const isEmpty = !list.isLoading && !list.error && beside.length + list.rows.length === 0
  return (
    <>
      <SearchBox
        label="Search placements"
        value={search}
        onValue={useCallback((text: string) => setSearch(text), [])}
      />
      {list.isLoading && <Waiting />}
      {list.error && list.rows.length === 0 && (
        <ProblemState error={list.error} retry={list.retry} />
      )}
      {isEmpty && (
        <EmptyState
          title={search ? 'No placement found' : 'No placement is offered to everybody yet'}
          text={isSeller ? 'Type less of its name.' : 'Ask ad operations for what you need, below.'}
        />
      )}
      <ul className="flex flex-col border-y empty:hidden">
        {[...beside, ...list.rows].map((placement) => (
          <PlacementRow key={placement.id} placement={placement} {...props} />
        ))}
      </ul>
      {list.hasMore && (
        <div className="text-center">
          <Button onClick={list.loadMore}>Show more</Button>
        </div>
      )}
      <FaultNotes faults={faultsOf('placements')} currency={world.currency} onMend={onMend} />
      {!isSeller && (
        <AreaField
          label="Other placements that you want"
          isOptional
          rows={2}
          maxLength={2_000}
          value={draft.placementWishes}
          onValue={(placementWishes) => onChange({ placementWishes })}
          placeholder="The top of the home page, in May"
          hint="Ad operations get this as a request and book them for you."
        />
      )}
    </>
  )
}

/** One placement with its size, traffic and price, and why a creative is not shown there. */
function PlacementRow({
  placement,
  draft,
  onChange,
  world,
  faultsOf,
  onMend,
  pairs,
}: StepProps & { readonly placement: BookablePlacement }) {
  const { id, label, currency, floorMicros, cpmMicros } = placement
  const at = draft.placementIds.indexOf(id)
  const fitting = pairs.filter((pair) => pair.placementId === id && pair.state !== 'never').length
  return (
    <li className="flex flex-col gap-2 border-b py-2.5 last:border-0">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <div className="min-w-48 flex-1">
          <CheckField
            label={label}
            state={at >= 0}
            onToggle={(isOn) => onChange({ placementIds: toggled(draft.placementIds, id, isOn) })}
          />
          <p className="truncate pl-6 text-xs text-ink-faint">{aboutOf(placement)}</p>
        </div>
        <p className="w-24 text-right text-xs text-ink-faint figures">
          {sayShortCount(placement.impressionsPerDay)} a day
        </p>
        <p className="w-28 text-right text-xs text-ink-faint figures">
          {cpmMicros ? `${sayMoney(cpmMicros, currency)} CPM` : 'no price yet'}
          <br />
          floor {sayMoney(floorMicros, currency)}
        </p>
        <span className="w-28">
          {at >= 0 && fitting > 0 ? (
            <Badge tone="good">
              {fitting} of {draft.bannerIds.length} fit
            </Badge>
          ) : (
            <Badge tone={currency === world.currency ? 'neutral' : 'warn'}>
              {currency === world.currency ? MODE_NAMES[placement.mode] : `Sells in ${currency}`}
            </Badge>
          )}
        </span>
      </div>
      {at >= 0 && (
        <FaultNotes
          faults={faultsOf(`placements/${at}`)}
          currency={world.currency}
          onMend={onMend}
        />
      )}
    </li>
  )
}

const aboutOf = ({ siteDomain, width, height, approvesCreatives }: BookablePlacement) =>
  [
    siteDomain ?? 'no site yet',
    width && height ? `${width} × ${height}` : 'any size',
    ...(approvesCreatives ? ['approves creatives'] : []),
  ].join(' · ')
