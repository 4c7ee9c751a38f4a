import { useNavigate } from '@tanstack/react-router'
import { Ellipsis } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { useChange, useList, useRead } from '../../api/hooks.ts'
import { useMay } from '../../api/me.ts'
import type { Advertiser, Approval, Banner } from '../../api/types.ts'
import { usePathParam, useSearchParams } from '../../search-params.ts'
import { When } from '../../ui/format/amounts.tsx'
import { Badge, StatusBadge } from '../../ui/badge.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { Confirm } from '../../ui/overlays/dialog.tsx'
import { useForm } from '../../ui/forms/form.ts'
import { sayWord } from '../../ui/format/format.ts'
import { Menu } from '../../ui/overlays/menu.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { Answer, EmptyState, ProblemNote } from '../../ui/layout/states.tsx'
import { Tabs } from '../../ui/layout/tabs.tsx'
import { notify, notifyProblem } from '../../ui/overlays/toast.tsx'
import { BannerFields } from './banner-form.tsx'
import { bodyOf, shownOf, sizeOf, valuesOf } from './banner-values.ts'
import { FilmFacts } from './film-facts.tsx'
import { PreviewCard } from './preview-card.tsx'
import { ScheduleCard } from './schedule-card.tsx'

const TOUCHED = ['/admin/banners', '/admin/creative-approvals']

export function BannerPage() {
  const id = usePathParam('bannerId')
  const banner = useRead<Banner>(`/admin/banners/${id}`)
  return <Answer of={banner}>{(data) => <Detail key={data.id} banner={data} />}</Answer>
}

function Detail({ banner }: { readonly banner: Banner }) {
  const may = useMay()
  const [{ part = 'look' }, setParams] = useSearchParams()
  return (
    <Page
      title={banner.title}
      parent={{ title: 'Creatives', to: '/creatives' }}
      mark={
        banner.isActive ? <StatusBadge status={banner.scheduleStatus} /> : <Badge>Inactive</Badge>
      }
      about={`${banner.advertiserName} · ${sayWord(banner.format)}${banner.width ? ` · ${banner.width} × ${banner.height}` : ''}`}
      actions={may('banners:write') && <Actions banner={banner} />}
    >
      <Tabs
        label="Banner sections"
        open={part}
        onOpen={(name) => setParams({ part: name })}
        tabs={[
          { name: 'look', label: 'Content', content: <LookPart banner={banner} /> },
          { name: 'when', label: 'Schedule', content: <ScheduleCard banner={banner} /> },
          ...(may('approvals:read')
            ? [{ name: 'approval', label: 'Approvals', content: <Approvals banner={banner} /> }]
            : []),
        ]}
      />
    </Page>
  )
}

function Actions({ banner }: { readonly banner: Banner }) {
  const [isConfirming, setConfirming] = useState(false)
  const navigate = useNavigate()
  const toggle = useChange(
    (how: 'activate' | 'deactivate') => api.patch(`/admin/banners/${banner.id}/${how}`, undefined),
    { touches: TOUCHED },
  )
  const remove = useChange(() => api.delete(`/admin/banners/${banner.id}`), { touches: TOUCHED })
  const how = banner.isActive ? 'deactivate' : 'activate'
  const back = banner.isActive ? 'activate' : 'deactivate'
  return (
    <>
      <Button
        isBusy={toggle.isPending}
        onClick={() =>
          toggle.mutate(how, {
            onSuccess: () =>
              notify(`“${banner.title}” is ${banner.isActive ? 'deactivated' : 'activated'}.`, () =>
                toggle.mutate(back),
              ),
            onError: notifyProblem,
          })
        }
      >
        {banner.isActive ? 'Deactivate' : 'Activate'}
      </Button>
      <Menu items={[{ label: 'Delete', isDangerous: true, onSelect: () => setConfirming(true) }]}>
        <IconButton label="More actions" icon={Ellipsis} look="secondary" />
      </Menu>
      <Confirm
        title={`Delete “${banner.title}”?`}
        text="The banner is removed from every campaign that uses it. An operator can restore it."
        action="Delete banner"
        isDangerous
        isBusy={remove.isPending}
        error={remove.error}
        isOpen={isConfirming}
        onClose={() => setConfirming(false)}
        onConfirm={() =>
          remove.mutate(undefined, {
            onSuccess: () => {
              notify(`“${banner.title}” is deleted.`)
              void navigate({ to: '/creatives' })
            },
          })
        }
      />
    </>
  )
}

function LookPart({ banner }: { readonly banner: Banner }) {
  const canChange = useMay()('banners:write')
  const advertiser = useRead<Advertiser>(`/admin/advertisers/${banner.advertiserId}`)
  const save = useChange(
    (body: object) => api.patch(`/admin/banners/${banner.id}`, body, banner.version),
    { touches: TOUCHED },
  )
  const { values, set, field } = useForm(valuesOf(banner), save.error)
  return (
    <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_minmax(0,1.3fr)]">
      <Card title="Content" hint="Changed content needs a new approval from every site">
        <form
          className="flex flex-col gap-3"
          onSubmit={(event) => {
            event.preventDefault()
            save.mutate(bodyOf(values), { onSuccess: () => notify(`“${values.title}” is saved.`) })
          }}
        >
          <fieldset disabled={!canChange} className="contents">
            <BannerFields
              values={values}
              set={set}
              field={field}
              accountId={advertiser.data?.accountId}
            />
          </fieldset>
          <ProblemNote error={save.error} />
          {canChange && (
            <div className="flex justify-end">
              <Button type="submit" look="primary" isBusy={save.isPending}>
                Save
              </Button>
            </div>
          )}
        </form>
      </Card>
      <div className="grid gap-4">
        <PreviewCard banner={shownOf(values)} ownSize={sizeOf(values)} />
        <FilmFacts banner={banner} />
      </div>
    </div>
  )
}

const APPROVAL_COLUMNS: readonly Column<Approval>[] = [
  { name: 'site', label: 'Site', cell: ({ siteDomain }) => siteDomain },
  {
    name: 'status',
    label: 'Status',
    width: '8rem',
    cell: ({ status }) => <StatusBadge status={status} />,
  },
  { name: 'reason', label: 'Reason', cell: ({ reason }) => reason ?? '—' },
  {
    name: 'at',
    label: 'Decided',
    width: '9rem',
    from: 'sm',
    cell: ({ decidedAt }) => <When at={decidedAt} />,
  },
]

function Approvals({ banner }: { readonly banner: Banner }) {
  const list = useList<Approval>('/admin/creative-approvals', { query: { bannerId: banner.id } })
  return (
    <Card title="Approvals by site" isFlush>
      <DataTable
        label="Approvals by site"
        columns={APPROVAL_COLUMNS}
        {...list}
        keyOf={({ id }) => id}
        empty={
          <EmptyState
            title="No approvals yet"
            text="A site is asked when the banner is booked on one of its placements."
          />
        }
      />
    </Card>
  )
}
