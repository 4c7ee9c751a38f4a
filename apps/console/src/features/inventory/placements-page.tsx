import { Globe, LayoutTemplate, Plus } from 'lucide-react'
import { useCallback, useMemo, useState } from 'react'
import { usePostRead, useList, useRead } from '../../api/hooks.ts'
import { useMay } from '../../api/me.ts'
import type { PageOf, Placement, Publisher, Report, Site } from '../../api/types.ts'
import { useSearchParams } from '../../search-params.ts'
import { Money } from '../../ui/format/amounts.tsx'
import { Badge, StatusBadge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { dayBefore, sayShortCount, sayWord } from '../../ui/format/format.ts'
import { Page } from '../../ui/layout/page.tsx'
import { SearchBox } from '../../ui/forms/search-box.tsx'
import { EmptyState } from '../../ui/layout/states.tsx'
import { Tabs } from '../../ui/layout/tabs.tsx'
import { MODE_NAMES } from './modes.ts'
import { NewPlacement, NewSite } from './new-inventory.tsx'
import { Publishers } from './publishers.tsx'
import { siteStatus } from './site-status.ts'

/** Placements, sites and publishers. */
export function PlacementsPage() {
  const may = useMay()
  const [{ part = 'placements', search = '' }, setParams] = useSearchParams()
  const [making, setMaking] = useState<'placement' | 'site'>()
  const onSearch = useCallback((text: string) => setParams({ search: text }), [setParams])
  return (
    <Page
      title="Placements and sites"
      about="A placement is a named position for ads. A site shows it in an ad slot and decides what it accepts."
      actions={
        may('placements:write') && (
          <>
            <Button icon={Plus} onClick={() => setMaking('site')}>
              New site
            </Button>
            <Button look="primary" icon={Plus} onClick={() => setMaking('placement')}>
              New placement
            </Button>
          </>
        )
      }
    >
      <SearchBox label={`Search ${part}`} value={search} onValue={onSearch} />
      <Tabs
        label="Inventory"
        open={part}
        onOpen={(name) => setParams({ part: name, search: '' })}
        tabs={[
          { name: 'placements', label: 'Placements', content: <Placements search={search} /> },
          { name: 'sites', label: 'Sites', content: <Sites search={search} /> },
          { name: 'publishers', label: 'Publishers', content: <Publishers search={search} /> },
        ]}
      />
      {making === 'placement' && <NewPlacement onClose={() => setMaking(undefined)} />}
      {making === 'site' && <NewSite onClose={() => setMaking(undefined)} />}
    </Page>
  )
}

/** Each placement's impressions per day over the last week, for users who may see reports. */
function useShownPerDay(): ReadonlyMap<string, number> {
  const may = useMay()
  const [today] = useState(() => new Date().toISOString().slice(0, 10))
  const report = usePostRead<Report>(
    '/reports/query',
    {
      dimensions: ['placement'],
      metrics: ['impressions'],
      from: dayBefore(today, 6),
      to: today,
      limit: 1_000,
    },
    { when: may('reports:read') },
  )
  return useMemo(() => {
    const shown = new Map<string, number>()
    const rows = (report.data?.rows ?? []) as unknown as {
      placementId: string
      impressions: number
    }[]
    for (const { placementId, impressions } of rows) {
      shown.set(placementId, (shown.get(placementId) ?? 0) + impressions / 7)
    }
    return shown
  }, [report.data])
}

function Placements({ search }: { readonly search: string }) {
  const may = useMay()
  const list = useList<Placement>('/admin/placements', { query: { search, sort: 'sortOrder' } })
  const shown = useShownPerDay()
  const columns = useMemo(
    (): Column<Placement>[] => [
      {
        name: 'label',
        label: 'Placement',
        cell: ({ label, slug }) => (
          <>
            {label} <span className="font-mono text-xs font-normal text-ink-faint">{slug}</span>
          </>
        ),
      },
      {
        name: 'layout',
        label: 'Layout',
        width: '9.5rem',
        from: 'md',
        cell: ({ layoutType }) => sayWord(layoutType),
      },
      {
        name: 'mode',
        label: 'Sales mode',
        width: '6.5rem',
        from: 'sm',
        cell: ({ mode }) => <Badge>{MODE_NAMES[mode]}</Badge>,
      },
      {
        name: 'size',
        label: 'Size',
        width: '7rem',
        from: 'lg',
        isNumber: true,
        cell: ({ recommendedWidth: width, recommendedHeight: height }) =>
          width && height ? `${width} × ${height}` : '—',
      },
      {
        name: 'floor',
        label: 'Floor price',
        width: '6.5rem',
        isNumber: true,
        cell: ({ floorMicros, currency }) => (
          <Money micros={floorMicros} currency={currency ?? 'EUR'} />
        ),
      },
      ...(may('reports:read')
        ? [
            {
              name: 'shown',
              label: 'Impressions/day',
              width: '7.5rem',
              from: 'md' as const,
              isNumber: true,
              cell: ({ id }: Placement) => sayShortCount(Math.round(shown.get(id) ?? 0)),
            },
          ]
        : []),
      {
        name: 'state',
        label: 'Status',
        width: '6rem',
        from: 'sm',
        cell: ({ isActive }) => <StatusBadge status={isActive ? 'active' : 'off'} />,
      },
    ],
    [may, shown],
  )
  return (
    <Card isFlush>
      <DataTable
        label="Placements"
        columns={columns}
        {...list}
        keyOf={({ id }) => id}
        linkOf={({ id }) => `/placements/${id}`}
        empty={
          <EmptyState
            icon={LayoutTemplate}
            title="No placements found"
            text="Create one for each position on your pages where an ad may appear."
          />
        }
      />
    </Card>
  )
}

function Sites({ search }: { readonly search: string }) {
  const list = useList<Site>('/admin/sites', { query: { search, sort: 'name' } })
  const publishers = useRead<PageOf<Publisher>>('/admin/publishers', { query: { limit: 200 } })
  const columns = useMemo((): Column<Site>[] => {
    const nameOf = new Map(publishers.data?.items.map(({ id, name }) => [id, name]))
    return [
      {
        name: 'name',
        label: 'Site',
        cell: ({ name, domain }) => (
          <>
            {name} <span className="font-normal text-ink-faint">· {domain}</span>
          </>
        ),
      },
      {
        name: 'publisher',
        label: 'Publisher',
        width: '12rem',
        from: 'md',
        cell: ({ publisherId }) => nameOf.get(publisherId),
      },
      {
        name: 'approval',
        label: 'Banners',
        width: '11rem',
        from: 'sm',
        cell: ({ approvalRequired }) => (approvalRequired ? 'After approval' : 'All'),
      },
      {
        name: 'state',
        label: 'Status',
        width: '7.5rem',
        cell: (site) => <StatusBadge status={siteStatus(site)} />,
      },
    ]
  }, [publishers.data])
  return (
    <Card isFlush>
      <DataTable
        label="Sites"
        columns={columns}
        {...list}
        keyOf={({ id }) => id}
        linkOf={({ id }) => `/sites/${id}`}
        empty={
          <EmptyState
            icon={Globe}
            title="No sites found"
            text="Add the domain that shows your placements."
          />
        }
      />
    </Card>
  )
}
