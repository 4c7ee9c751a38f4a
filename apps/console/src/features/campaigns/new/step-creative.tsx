import { Plus } from 'lucide-react'
import { useCallback, useState } from 'react'
import { useList } from '../../../api/hooks.ts'
import type { Banner } from '../../../api/types.ts'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { cx } from '../../../ui/cx.ts'
import { CheckField } from '../../../ui/forms/fields.tsx'
import { SearchBox } from '../../../ui/forms/search-box.tsx'
import { EmptyState, ProblemState, Waiting } from '../../../ui/layout/states.tsx'
import { FaultNotes } from './fault-notes.tsx'
import { type StepProps, toggled } from './step.ts'

export function CreativeStep({ draft, onChange, world, faultsOf, onMend, draftId }: StepProps) {
  const [search, setSearch] = useState('')
  const list = useList<Banner>('/admin/banners', {
    query: { advertiserId: draft.advertiserId, search },
    pageSize: 24,
    when: draft.advertiserId !== '',
  })
  const add = (
    <ButtonLink
      to="/creatives/new"
      search={{ draft: draftId, advertiserId: draft.advertiserId }}
      icon={Plus}
    >
      New creative
    </ButtonLink>
  )
  const isEmpty = !list.isLoading && list.rows.length === 0 && search === ''
  if (isEmpty && !list.error) {
    return (
      <>
        <EmptyState
          title={`${world.advertiser?.name ?? 'The advertiser'} has no creative yet`}
          text="Make one: you come back here, and nothing that you typed is lost."
          action={add}
        />
        <FaultNotes faults={faultsOf('ads')} currency={world.currency} onMend={onMend} />
      </>
    )
  }
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <SearchBox
          label="Search creatives"
          value={search}
          onValue={useCallback((text: string) => setSearch(text), [])}
        />
        {add}
      </div>
      {list.isLoading && <Waiting />}
      {list.error && list.rows.length === 0 && (
        <ProblemState error={list.error} retry={list.retry} />
      )}
      <ul className="grid gap-3 sm:grid-cols-2">
        {list.rows.map((banner) => (
          <Tile
            key={banner.id}
            banner={banner}
            isOn={draft.bannerIds.includes(banner.id)}
            onToggle={(isOn) => onChange({ bannerIds: toggled(draft.bannerIds, banner.id, isOn) })}
          />
        ))}
      </ul>
      {list.hasMore && (
        <div className="text-center">
          <Button onClick={list.loadMore}>Show more</Button>
        </div>
      )}
      <FaultNotes faults={faultsOf('ads')} currency={world.currency} onMend={onMend} />
    </>
  )
}

interface TileProps {
  readonly banner: Banner
  readonly isOn: boolean
  readonly onToggle: (isOn: boolean) => void
}

function Tile({ banner, isOn, onToggle }: TileProps) {
  return (
    <li
      className={cx(
        'overflow-hidden rounded-md border',
        isOn ? 'border-accent' : 'border-line-strong',
      )}
    >
      <div className="grid h-28 place-items-center bg-sunken">
        <img
          src={banner.primaryImageUrl}
          alt=""
          loading="lazy"
          className="max-h-28 max-w-full object-contain"
        />
      </div>
      <div className="flex flex-col gap-0.5 border-t p-2.5">
        <CheckField label={banner.title} state={isOn} onToggle={onToggle} />
        <p className="truncate pl-6 text-xs text-ink-faint">
          {banner.width && banner.height ? `${banner.width} × ${banner.height} · ` : ''}
          {banner.headline ?? 'No headline'}
        </p>
      </div>
    </li>
  )
}
