import { useMemo, useState } from 'react'
import { usePostRead } from '../../api/hooks.ts'
import { useMay } from '../../api/me.ts'
import type { Placement, Report } from '../../api/types.ts'
import { useSearchParams } from '../../search-params.ts'
import { Things, WITHOUT_LIST } from '../../things/things.tsx'
import { Money } from '../../ui/format/amounts.tsx'
import { Badge, StatusBadge } from '../../ui/badge.tsx'
import type { Column } from '../../ui/data-table.tsx'
import { dayBefore, sayShortCount, sayWord } from '../../ui/format/format.ts'
import { Page } from '../../ui/layout/page.tsx'
import { Tabs } from '../../ui/layout/tabs.tsx'
import { MODE_NAMES } from './modes.ts'
import { placementThing } from './placement-thing.tsx'
import { publisherThing } from './publisher-thing.tsx'
import { siteThing } from './site-thing.tsx'
import { slotThing } from './slot-thing.tsx'

/** Placements, sites and publishers. */
export function PlacementsPage() {
  const [{ part = 'placements' }, setParams] = useSearchParams()
  return (
    <Page
      title="Placements and sites"
      about="A placement is a named position for ads. A site shows it in an ad slot and decides what it accepts."
    >
      <Tabs
        label="Inventory"
        open={part}
        onOpen={(name) => setParams({ ...WITHOUT_LIST, part: name })}
        tabs={[
          { name: 'placements', label: 'Placements', content: <Placements /> },
          { name: 'sites', label: 'Sites', content: <Things of={siteThing} /> },
          { name: 'publishers', label: 'Publishers', content: <Things of={publisherThing} /> },
          { name: 'slots', label: 'Ad slots', content: <Things of={slotThing} /> },
        ]}
      />
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

function usePlacementColumns(): readonly Column<Placement>[] {
  const may = useMay()
  const shown = useShownPerDay()
  return useMemo(
    (): Column<Placement>[] => [
      {
        name: 'label',
        label: 'Placement',
        sortBy: ({ label }) => label,
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
}

function Placements() {
  const columns = usePlacementColumns()
  return <Things of={{ ...placementThing, columns }} />
}
