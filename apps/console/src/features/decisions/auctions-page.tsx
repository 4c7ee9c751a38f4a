import type { Auction as AuctionSchema, AuctionStatistics } from '@placard/contract/auctions'
import { Gavel } from 'lucide-react'
import type { Static } from 'typebox'
import { useList, useRead } from '../../api/hooks.ts'
import type { Campaign, PageOf, Placement } from '../../api/types.ts'
import { useSearchParams } from '../../search-params.ts'
import { Money, When } from '../../ui/format/amounts.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { FilterSelect } from '../../ui/forms/fields.tsx'
import { sayCount, sayPercent, sayShortCount, sayWord } from '../../ui/format/format.ts'
import { Page } from '../../ui/layout/page.tsx'
import { Stat, Stats } from '../../ui/figures/stat.tsx'
import { Answer, EmptyState } from '../../ui/layout/states.tsx'

type Auction = Static<typeof AuctionSchema>
type Statistics = Static<typeof AuctionStatistics>

const TYPES = [
  { value: '', label: 'Any placement type' },
  { value: 'banner', label: 'Banner' },
  { value: 'feed', label: 'Feed' },
  { value: 'story', label: 'Story' },
]

/** All ad requests, newest first, with links to their explanations. */
export function AuctionsPage() {
  const [params, setParams] = useSearchParams()
  const { placementType = '' } = params
  const list = useList<Auction>('/admin/auctions', {
    query: { placementType, pageSize: 100, limit: undefined },
    everySeconds: 10,
  })
  const names = useNames()
  return (
    <Page title="Auctions" about="Every ad request and its result. Open one to see why.">
      <Figures />
      <div className="flex flex-wrap gap-2">
        <FilterSelect
          label="Placement type"
          value={placementType}
          onValue={(type) => setParams({ placementType: type })}
          options={TYPES}
        />
      </div>
      <Card isFlush className="overflow-hidden md:overflow-visible">
        <DataTable
          label="Auctions"
          columns={columnsWith(names)}
          {...list}
          keyOf={({ id }) => id}
          linkOf={({ id }) => `/why?decisionId=${id}`}
          empty={
            <EmptyState
              icon={Gavel}
              title="No ad requests yet"
              text="Requests appear here within two seconds. Open a page that has the tag."
              action={
                placementType ? (
                  <Button onClick={() => setParams({ placementType: '' })}>Clear filters</Button>
                ) : undefined
              }
            />
          }
        />
      </Card>
    </Page>
  )
}

function Figures() {
  const statistics = useRead<Statistics>('/admin/auctions/statistics', { everySeconds: 10 })
  return (
    <Answer of={statistics} lines={2}>
      {({ totalAuctions, averageWinRate, totalBidsPlaced, from, currencies }) => (
        <Stats>
          <Stat label="Requests, all time" value={sayShortCount(totalAuctions)} />
          <Stat label="Fill rate" value={sayPercent(averageWinRate, 1)} />
          <Stat label="Bids considered" value={sayShortCount(totalBidsPlaced)} />
          {from && <Stat label="Counted since" value={<When at={from} />} />}
          {currencies.slice(0, 2).map(({ currency, averageEcpmMicros, totalAuctions }) => (
            <Stat
              key={currency}
              label={`Average price, ${currency}`}
              value={<Money micros={averageEcpmMicros} currency={currency} />}
              note={`of ${sayShortCount(totalAuctions)} requests`}
            />
          ))}
        </Stats>
      )}
    </Answer>
  )
}

/** Names for the ids in the records. */
function useNames(): (id: string | null) => string {
  const query = { limit: 200 }
  const placements = useRead<PageOf<Placement>>('/admin/placements', { query })
  const campaigns = useRead<PageOf<Campaign>>('/admin/campaigns', { query })
  const names = new Map<string, string>([
    ...(placements.data?.items.map(({ id, label }) => [id, label] as const) ?? []),
    ...(campaigns.data?.items.map(({ id, name }) => [id, name] as const) ?? []),
  ])
  return (id) => (id && names.get(id)) || '—'
}

const columnsWith = (nameOf: (id: string | null) => string): Column<Auction>[] => [
  {
    name: 'when',
    label: 'Time',
    width: '11rem',
    cell: ({ auctionTime }) => <When at={auctionTime} isExact />,
  },
  {
    name: 'placement',
    label: 'Placement',
    from: 'sm',
    cell: ({ placementId, placementType }) => (
      <>
        {nameOf(placementId)} <span className="text-ink-faint">· {placementType}</span>
      </>
    ),
  },
  {
    name: 'winner',
    label: 'Winner',
    cell: ({ winningCampaignId, emptyReason }) =>
      emptyReason ? <Badge tone="warn">{sayWord(emptyReason)}</Badge> : nameOf(winningCampaignId),
  },
  {
    name: 'bids',
    label: 'Bids',
    width: '4.5rem',
    from: 'md',
    isNumber: true,
    cell: ({ bidCount }) => sayCount(bidCount),
  },
  {
    name: 'price',
    label: 'Price',
    width: '6.5rem',
    from: 'md',
    isNumber: true,
    cell: ({ finalPriceMicros, currency }) => (
      <Money micros={finalPriceMicros} currency={currency} />
    ),
  },
  {
    name: 'took',
    label: 'Duration',
    width: '5.5rem',
    from: 'lg',
    isNumber: true,
    cell: ({ durationMicros }) => `${sayCount(durationMicros)} µs`,
  },
]
