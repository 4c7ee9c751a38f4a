import type { Delivery } from '@placard/contract/delivery'
import type { Campaign } from '../../api/types.ts'
import { Badge, StatusBadge, type Tone } from '../../ui/badge.tsx'
import type { Column } from '../../ui/data-table.tsx'
import { FilterSelect } from '../../ui/forms/fields.tsx'
import { sayAgo } from '../../ui/format/format.ts'
import { useNow } from '../../ui/format/now.ts'

type State = Delivery['state']

const TONES: Readonly<Record<State, Tone>> = {
  delivering: 'good',
  limited: 'warn',
  'not-delivering': 'bad',
}

const WORDS: Readonly<Record<State, string>> = {
  delivering: 'Delivering',
  limited: 'Limited',
  'not-delivering': 'Not delivering',
}

/** States that somebody chose are no fault. */
const CHOSEN: ReadonlySet<string | null> = new Set([
  'draft',
  'scheduled',
  'paused',
  'ended',
  'cancelled',
  'before-flight',
  'other-channel',
])

export function DeliveryBadge({ state, code }: Pick<Delivery, 'state' | 'code'>) {
  return (
    <Badge tone={CHOSEN.has(code) ? 'neutral' : TONES[state]}>
      <span className="size-1.5 rounded-full bg-current" aria-hidden />
      {WORDS[state]}
    </Badge>
  )
}

/** The reason without the state, which the badge has. */
export function reasonOf({ text }: Pick<Delivery, 'text'>): string {
  const reason = text.split(': ').slice(1).join(': ')
  return reason.charAt(0).toUpperCase() + reason.slice(1)
}

/** The reason in a word or two, where a sentence has no room. */
const SHORT: Readonly<Partial<Record<NonNullable<Delivery['code']>, string>>> = {
  'not-checked': 'checking',
  'serving-off': 'serving off',
  'no-ads': 'no ads',
  'no-placement': 'no placement',
  'ad-not-active': 'ads paused',
  'banner-not-active': 'banner off',
  'impression-cap-reached': 'goal reached',
  'click-cap-reached': 'goal reached',
  'after-flight': 'end date',
  'banner-expired': 'banner expired',
  'before-publish': 'banner dates',
  'off-recurrence': 'banner dates',
  'outside-window': 'banner hours',
  'placement-off': 'placement off',
  'site-off': 'site off',
  'domain-unproven': 'domain',
  'other-mode': 'sales mode',
  'advertiser-blocked': 'blocked',
  'ad-product-blocked': 'blocked',
  'not-approved': 'approval',
  'budget-total': 'budget',
  'budget-day': 'budget',
  'budget-advertiser': 'budget',
  'no-requests': 'no requests',
  frequency: 'caps',
  'below-floor': 'floor',
  'slots-full': 'bookings',
}

/** Of a campaign that somebody started, how it delivers; of any other, its status. */
export function CampaignState({ campaign }: { readonly campaign: Listed }) {
  const now = useNow(30)
  const { status, delivery } = campaign
  const { state, code, text, checkedAt } = delivery
  if (status !== 'active' || code === 'other-channel') return <StatusBadge status={status} />
  const age = checkedAt === null ? '' : ` (checked ${sayAgo(checkedAt, now)})`
  const reason = code === null ? '' : `: ${SHORT[code] ?? code.replaceAll('-', ' ')}`
  return (
    <span title={`${text}${age}`}>
      <Badge tone={TONES[state]}>
        <span className="size-1.5 rounded-full bg-current" aria-hidden />
        {WORDS[state]}
        {reason}
      </Badge>
    </span>
  )
}

type Listed = Pick<Campaign, 'status' | 'delivery'>

/** The column of a list of campaigns. */
export const STATE_COLUMN: Column<Campaign> = {
  name: 'status',
  label: 'State',
  width: '12.5rem',
  cell: (campaign) => <CampaignState campaign={campaign} />,
}

const OPTIONS = [
  { value: '', label: 'Any delivery' },
  ...(['delivering', 'limited', 'not-delivering'] as const).map((value) => ({
    value,
    label: WORDS[value],
  })),
]

interface FilterProps {
  readonly value: string | undefined
  readonly onValue: (state: string) => void
}

export const DeliveryFilter = ({ value, onValue }: FilterProps) => (
  <FilterSelect label="Delivery" value={value ?? ''} onValue={onValue} options={OPTIONS} />
)
