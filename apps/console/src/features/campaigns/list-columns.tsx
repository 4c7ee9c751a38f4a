import type { Campaign } from '../../api/types.ts'
import { Badge, StatusMark } from '../../ui/badge.tsx'
import type { Column } from '../../ui/data-table.tsx'
import { Money, When } from '../../ui/format/amounts.tsx'
import { sayWord } from '../../ui/format/format.ts'
import { STATE_COLUMN } from '../delivery/delivery-mark.tsx'
import { paceVerdict } from '../home/pacing.ts'

/** Every column is sorted by the server, under its own name. */
const onServer = () => 0

/** Columns of the list of campaigns. Spend, pace and status stay on a phone. */
export const CAMPAIGN_COLUMNS: readonly Column<Campaign>[] = [
  {
    name: 'name',
    label: 'Campaign',
    sortBy: onServer,
    cell: ({ name, status }) => (
      <>
        <StateDot status={status} /> {name}
      </>
    ),
  },
  { ...STATE_COLUMN, width: '10rem', from: 'sm', sortBy: onServer },
  {
    name: 'pace',
    label: 'Pace',
    width: '5.75rem',
    sortBy: onServer,
    cell: (campaign) => {
      if (campaign.status !== 'active' || campaign.budgetDailyMicros === null) return <None />
      const { short, tone } = paceVerdict(campaign)
      return <Badge tone={tone}>{short}</Badge>
    },
  },
  {
    name: 'spentTodayMicros',
    label: 'Today',
    width: '5.75rem',
    isNumber: true,
    sortBy: onServer,
    cell: ({ spentTodayMicros, currency }) => (
      <Money micros={spentTodayMicros} currency={currency} />
    ),
  },
  {
    name: 'spentWeekMicros',
    label: '7 days',
    width: '6.25rem',
    from: 'sm',
    isNumber: true,
    sortBy: onServer,
    cell: ({ spentWeekMicros, currency }) => <Money micros={spentWeekMicros} currency={currency} />,
  },
  {
    name: 'budgetDailyMicros',
    label: 'Daily budget',
    width: '6.5rem',
    from: 'md',
    isNumber: true,
    sortBy: onServer,
    cell: ({ budgetDailyMicros, currency }) => (
      <Money micros={budgetDailyMicros} currency={currency} />
    ),
  },
  {
    name: 'advertiserName',
    label: 'Advertiser',
    width: '7.5rem',
    from: 'lg',
    sortBy: onServer,
    cell: ({ advertiserName }) => advertiserName,
  },
  {
    name: 'endsAt',
    label: 'Ends',
    width: '5.5rem',
    from: 'xl',
    sortBy: onServer,
    cell: ({ endsAt }) => <When at={endsAt} />,
  },
]

/** On a phone, the status is a dot before the name. */
const StateDot = ({ status }: Pick<Campaign, 'status'>) => (
  <span className="sm:hidden" title={sayWord(status)}>
    <StatusMark status={status} />
    <span className="sr-only">{sayWord(status)}:</span>
  </span>
)

const None = () => <span className="text-ink-faint">—</span>
