import { CircleHelp, Pencil, Plus } from 'lucide-react'
import { useMemo, useState } from 'react'
import { api } from '../../api/client.ts'
import { usePostRead, useChange, useList, useRead } from '../../api/hooks.ts'
import { useMay } from '../../api/me.ts'
import type { Ad, AdSet, Banner, Campaign, PageOf, Report } from '../../api/types.ts'
import { Money } from '../../ui/format/amounts.tsx'
import { Button, ButtonLink, IconButton } from '../../ui/button.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { FormDialog } from '../../ui/forms/form-dialog.tsx'
import { MoneyField, SelectField, TextField } from '../../ui/forms/fields.tsx'
import { useForm } from '../../ui/forms/form.ts'
import { dayBefore, dayIn, readMoney, sayCount, saySharePercent } from '../../ui/format/format.ts'
import { useNow } from '../../ui/format/now.ts'
import { EmptyState } from '../../ui/layout/states.tsx'
import { notify, notifyProblem } from '../../ui/overlays/toast.tsx'
import { BannerThumb } from '../creatives/banner-thumb.tsx'
import { AdState } from '../delivery/own-state.tsx'
import { AdSets } from './edit/ad-sets.tsx'
import { EditAd } from './edit/edit-ad.tsx'
import { useAdvertiserZone } from './overview.tsx'

const TOUCHED = ['/admin/ads', '/admin/ad-sets', '/reports', '/admin/creative-approvals']

interface Delivered {
  readonly adId: string
  readonly impressions: number
  readonly clicks: number
  readonly ctr: number
  readonly spendMicros: string
}

/** The campaign's ads with their bids and results, and the sets they are in. */
export function Ads({ campaign }: { readonly campaign: Campaign }) {
  return (
    <>
      <AdTable campaign={campaign} />
      <AdSets campaign={campaign} />
    </>
  )
}

function AdTable({ campaign }: { readonly campaign: Campaign }) {
  const may = useMay()
  const [isAdding, setAdding] = useState(false)
  const [editing, setEditing] = useState<Ad>()
  const ads = useList<Ad>('/admin/ads', { query: { campaignId: campaign.id } })
  const banners = useRead<PageOf<Banner>>('/admin/banners', {
    query: { advertiserId: campaign.advertiserId, limit: 200 },
  })
  const delivered = useDelivered(campaign)
  const change = useChange(
    ({ ad, status }: { ad: Ad; status: string }) =>
      api.patch(`/admin/ads/${ad.id}`, { status }, ad.version),
    { touches: TOUCHED },
  )
  const bannerOf = useMemo(
    () => new Map(banners.data?.items.map((banner) => [banner.id, banner])),
    [banners.data],
  )
  const toggle = (ad: Ad, status: 'active' | 'paused') =>
    change.mutate(
      { ad, status },
      { onSuccess: () => notify(`“${ad.name}” is ${status}.`), onError: notifyProblem },
    )
  const columns = [
    ...factColumns(bannerOf, campaign.currency),
    ...figureColumns(delivered, campaign.currency),
    ...(may('campaigns:write') ? [actionColumn(toggle, setEditing)] : []),
  ]
  return (
    <Card
      title="Ads"
      hint="Last seven days"
      isFlush
      actions={
        may('campaigns:write') && (
          <Button icon={Plus} onClick={() => setAdding(true)}>
            Add ad
          </Button>
        )
      }
    >
      <DataTable
        label="Ads in this campaign"
        columns={columns}
        {...ads}
        keyOf={({ id }) => id}
        empty={
          <EmptyState
            title="No ads yet"
            text="An ad enters one banner into auctions with a bid. Booked banners are listed under “Placements”."
          />
        }
      />
      {isAdding && (
        <AddAd
          campaign={campaign}
          banners={banners.data?.items ?? []}
          onClose={() => setAdding(false)}
        />
      )}
      {editing && (
        <EditAd
          campaign={campaign}
          ad={editing}
          touches={TOUCHED}
          onClose={() => setEditing(undefined)}
        />
      )}
    </Card>
  )
}

function RowActions({
  ad,
  onToggle,
  onEdit,
}: {
  readonly ad: Ad
  readonly onEdit: (ad: Ad) => void
  readonly onToggle: (ad: Ad, status: 'active' | 'paused') => void
}) {
  const may = useMay()
  return (
    <span className="flex justify-end gap-1">
      {may('decisions:read') && (
        <ButtonLink
          to="/why"
          search={{ campaignId: ad.campaignId, adId: ad.id }}
          look="ghost"
          icon={CircleHelp}
        >
          Why?
        </ButtonLink>
      )}
      {ad.status !== 'ended' && (
        <Button
          look="ghost"
          onClick={() => onToggle(ad, ad.status === 'active' ? 'paused' : 'active')}
        >
          {ad.status === 'active' ? 'Pause' : 'Start'}
        </Button>
      )}
      <IconButton label={`Edit ad “${ad.name}”`} icon={Pencil} onClick={() => onEdit(ad)} />
    </span>
  )
}

function useDelivered(campaign: Campaign): ReadonlyMap<string, Delivered> {
  const zone = useAdvertiserZone(campaign)
  const to = dayIn(new Date(useNow(60)), zone)
  const report = usePostRead<Report>('/reports/query', {
    dimensions: ['ad'],
    metrics: ['impressions', 'clicks', 'ctr', 'spendMicros'],
    from: dayBefore(to, 6),
    to,
    timeZone: zone,
    filters: { campaignId: [campaign.id] },
    limit: 1_000,
  })
  return useMemo(() => {
    const rows = (report.data?.rows ?? []) as unknown as Delivered[]
    return new Map(rows.map((row) => [row.adId, row]))
  }, [report.data])
}

const factColumns = (bannerOf: ReadonlyMap<string, Banner>, currency: string): Column<Ad>[] => [
  {
    name: 'name',
    label: 'Ad',
    sortBy: ({ name }) => name,
    cell: ({ name, bannerId }) => (
      <span className="flex items-center gap-2.5">
        <BannerThumb banner={bannerOf.get(bannerId)} />
        <span className="truncate font-medium">{name}</span>
      </span>
    ),
  },
  {
    name: 'status',
    label: 'State',
    width: '20%',
    from: 'sm',
    cell: (ad) => <AdState ad={ad} />,
  },
  {
    name: 'bid',
    label: 'Bid',
    width: '6rem',
    from: 'sm',
    isNumber: true,
    sortBy: ({ bidMicros }) => Number(bidMicros),
    cell: ({ bidMicros }) => <Money micros={bidMicros} currency={currency} />,
  },
]

const actionColumn = (
  onToggle: (ad: Ad, status: 'active' | 'paused') => void,
  onEdit: (ad: Ad) => void,
): Column<Ad> => ({
  name: 'actions',
  label: '',
  width: '13rem',
  cell: (ad) => <RowActions ad={ad} onToggle={onToggle} onEdit={onEdit} />,
})

const figureColumns = (
  delivered: ReadonlyMap<string, Delivered>,
  currency: string,
): Column<Ad>[] => [
  {
    name: 'impressions',
    label: 'Impressions',
    width: '6rem',
    isNumber: true,
    from: 'md',
    sortBy: ({ id }) => delivered.get(id)?.impressions ?? 0,
    cell: ({ id }) => sayCount(delivered.get(id)?.impressions ?? 0),
  },
  {
    name: 'clicks',
    label: 'Clicks',
    width: '5rem',
    isNumber: true,
    from: 'lg',
    sortBy: ({ id }) => delivered.get(id)?.clicks ?? 0,
    cell: ({ id }) => sayCount(delivered.get(id)?.clicks ?? 0),
  },
  {
    name: 'ctr',
    label: 'CTR',
    width: '6.5rem',
    isNumber: true,
    from: 'md',
    sortBy: ({ id }) => delivered.get(id)?.ctr ?? 0,
    cell: ({ id }) => saySharePercent((delivered.get(id)?.ctr ?? 0) / 100, 2),
  },
  {
    name: 'spend',
    label: 'Spend',
    width: '6.5rem',
    isNumber: true,
    from: 'sm',
    sortBy: ({ id }) => Number(delivered.get(id)?.spendMicros ?? 0),
    cell: ({ id }) => <Money micros={delivered.get(id)?.spendMicros ?? '0'} currency={currency} />,
  },
]

interface AddProps {
  readonly campaign: Campaign
  readonly banners: readonly Banner[]
  readonly onClose: () => void
}

function AddAd({ campaign, banners, onClose }: AddProps) {
  const sets = useRead<PageOf<AdSet>>('/admin/ad-sets', {
    query: { campaignId: campaign.id, limit: 200 },
  })
  const add = useChange(
    async ({
      bannerId,
      name,
      bid,
      adSetId,
    }: {
      bannerId: string
      name: string
      bid: string
      adSetId: string
    }) => {
      const set =
        adSetId ||
        (await api.post<AdSet>('/admin/ad-sets', { campaignId: campaign.id, name: 'Everyone' })).id
      return api.post('/admin/ads', { adSetId: set, bannerId, name, bidMicros: bid })
    },
    { touches: TOUCHED },
  )
  const first = banners[0]
  const { values, field } = useForm(
    { name: first?.title ?? '', bannerId: first?.id ?? '', bidMicros: '', adSetId: '' },
    add.error,
  )
  const submit = () =>
    add.mutate(
      {
        ...values,
        adSetId: values.adSetId || sets.data?.items[0]?.id || '',
        bid: readMoney(values.bidMicros) ?? values.bidMicros,
      },
      {
        onSuccess: () => {
          notify(`“${values.name}” is added.`)
          onClose()
        },
      },
    )
  return (
    <FormDialog
      title="Add ad"
      about="One banner that competes in auctions with its own bid."
      action="Add ad"
      of={add}
      onSubmit={submit}
      onClose={onClose}
    >
      <SelectField
        label="Banner"
        {...field('bannerId')}
        options={banners.map(({ id, title }) => ({ value: id, label: title }))}
      />
      <TextField label="Name" required {...field('name')} />
      {sets.data && sets.data.items.length > 1 && (
        <SelectField
          label="Ad set"
          {...field('adSetId')}
          options={sets.data.items.map(({ id, name }) => ({ value: id, label: name }))}
        />
      )}
      <MoneyField
        label={
          campaign.pricing === 'cpm' ? 'Bid per 1,000 impressions (CPM)' : 'Bid per click (CPC)'
        }
        currency={campaign.currency}
        required
        {...field('bidMicros')}
      />
    </FormDialog>
  )
}
