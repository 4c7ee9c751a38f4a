import { Users } from 'lucide-react'
import { useRead } from '../../api/hooks.ts'
import type { PageBuyers, SitePage } from '../../api/types.ts'
import { Money } from '../../ui/format/amounts.tsx'
import { Badge } from '../../ui/badge.tsx'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { EmptyState } from '../../ui/layout/states.tsx'

type Buyer = PageBuyers['items'][number]

const REASONS: Readonly<Record<NonNullable<Buyer['reason']>, string>> = {
  paused: 'not running',
  'site-not-allowed': 'not on this site',
  place: 'does not fit the ad slot',
  'category-mismatch': 'targets other pages',
  'category-blocked': 'blocked here',
  'below-floor': 'below the floor price',
  'budget-exhausted': 'budget used up',
  'no-eligible-creative': 'no active creative',
}

interface BuyersProps {
  readonly page: SitePage
  readonly path: string
  readonly onClose: () => void
}

/** Campaigns that can bid on a page, and the reasons of those that cannot. */
export function Buyers({ page, path, onClose }: BuyersProps) {
  const buyers = useRead<PageBuyers>(`${path}/${page.id}/buyers`)
  return (
    <Dialog
      title={page.title || page.url}
      about="Campaigns that can bid on this page, highest bid first. Campaigns that target other pages still compete in the regular auction."
      isOpen
      onClose={onClose}
    >
      <DataTable
        label="Bidders on this page"
        columns={COLUMNS}
        rows={buyers.data?.items ?? []}
        isLoading={buyers.isPending}
        error={buyers.error}
        keyOf={({ bannerId, placement, campaignId }) => `${campaignId} ${bannerId} ${placement}`}
        empty={
          <EmptyState
            icon={Users}
            title="No bidders"
            text="Campaigns that run on one of the site’s placements appear here."
          />
        }
      />
    </Dialog>
  )
}

const COLUMNS: readonly Column<Buyer>[] = [
  {
    name: 'campaign',
    label: 'Campaign',
    cell: ({ campaignName, advertiserName, bannerTitle }) => (
      <span title={bannerTitle}>
        <span className="font-medium">{campaignName}</span>{' '}
        <span className="text-ink-faint">{advertiserName}</span>
      </span>
    ),
  },
  {
    name: 'bid',
    label: 'Bid',
    width: '5.5rem',
    isNumber: true,
    cell: ({ cpmMicros, currency }) => <Money micros={cpmMicros} currency={currency} />,
  },
  { name: 'state', label: '', width: '9rem', cell: stateOf },
]

function stateOf({ reason, isApproved, isStanding, category }: Buyer) {
  if (reason !== null) return <span className="text-ink-faint">{REASONS[reason]}</span>
  if (!isApproved) return <Badge tone="warn">waiting for approval</Badge>
  return isStanding ? <Badge tone="good">{category}</Badge> : <Badge>can bid</Badge>
}
