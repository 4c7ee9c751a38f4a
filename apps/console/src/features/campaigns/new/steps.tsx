import { describeRule } from '@placard/contract/targeting-words'
import { Plus, Trash2 } from 'lucide-react'
import { Badge } from '../../../ui/badge.tsx'
import { Button, ButtonLink, IconButton } from '../../../ui/button.tsx'
import { cx } from '../../../ui/cx.ts'
import {
  CheckField,
  ChoiceField,
  MoneyField,
  SelectField,
  TextField,
} from '../../../ui/forms/fields.tsx'
import { sayMoney, sayShortCount } from '../../../ui/format/format.ts'
import { EmptyState } from '../../../ui/layout/states.tsx'
import { draftOf, ruleOf } from '../rule-draft.ts'
import { RuleFields } from '../rule-fields.tsx'
import { type Draft, SUITS } from './draft.ts'
import type { BookingWorld } from './world.ts'
import { MODE_NAMES } from '../../inventory/modes.ts'

interface StepProps {
  readonly draft: Draft
  readonly onChange: (part: Partial<Draft>) => void
  readonly world: BookingWorld
}

const GOALS = [
  {
    value: 'traffic',
    label: 'Traffic',
    text: 'Visitors who click through to your page. Pays per click (CPC).',
  },
  {
    value: 'sales',
    label: 'Sales',
    text: 'Purchases on your site. Pays per click (CPC), counts purchases.',
  },
  {
    value: 'awareness',
    label: 'Awareness',
    text: 'As many impressions as possible. Pays per 1,000 impressions (CPM).',
  },
  {
    value: 'conversions',
    label: 'Conversions',
    text: 'Sign-ups, add-to-carts, checkouts. Pays per click (CPC).',
  },
] as const

export function GoalStep({ draft, onChange, world }: StepProps) {
  return (
    <>
      {world.advertisers.length > 1 && (
        <SelectField
          label="Advertiser"
          value={draft.advertiserId}
          onValue={(advertiserId) => onChange({ advertiserId, bannerIds: [] })}
          options={world.advertisers.map(({ id, name }) => ({ value: id, label: name }))}
        />
      )}
      <TextField
        label="Name"
        required
        value={draft.name}
        onValue={(name) => onChange({ name })}
        placeholder="Autumn boots"
        hint="Only visible in the console."
      />
      <ChoiceField
        label="Objective"
        value={draft.objective}
        onValue={(objective) => onChange({ objective, ...SUITS[objective] })}
        choices={GOALS}
      />
    </>
  )
}

export function BudgetStep({ draft, onChange, world }: StepProps) {
  const currency = world.advertiser?.currency ?? 'EUR'
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <MoneyField
          label="Daily budget"
          currency={currency}
          required
          value={draft.budgetDaily}
          onValue={(budgetDaily) => onChange({ budgetDaily })}
          hint={`Never exceeded. Days in ${world.advertiser?.timeZone ?? 'your time zone'}.`}
        />
        <MoneyField
          label={
            draft.pricing === 'cpc'
              ? 'Maximum bid per click (CPC)'
              : 'Maximum bid per 1,000 impressions (CPM)'
          }
          currency={currency}
          required
          value={draft.bid}
          onValue={(bid) => onChange({ bid })}
          hint="You pay just above the next highest bid, and never more than this."
        />
        {draft.pricing === 'cpc' && (
          <MoneyField
            label="Target cost per purchase"
            isOptional
            currency={currency}
            value={draft.targetCpa}
            onValue={(targetCpa) => onChange({ targetCpa })}
            hint="Bids then follow how likely a click leads to a purchase, once past days show that it works. Never above the maximum bid."
          />
        )}
        <TextField
          label="Starts"
          isOptional
          type="datetime-local"
          value={draft.startsAt}
          onValue={(startsAt) => onChange({ startsAt })}
          hint="Leave empty to start at once."
        />
        <TextField
          label="Ends"
          isOptional
          type="datetime-local"
          value={draft.endsAt}
          onValue={(endsAt) => onChange({ endsAt })}
          hint="Leave empty to run until you end it."
        />
      </div>
      <ChoiceField
        label="Pacing"
        value={draft.pacing}
        onValue={(pacing) => onChange({ pacing })}
        choices={[
          { value: 'Smooth', label: 'Even', text: 'Spread the budget over the whole day.' },
          {
            value: 'Accelerated',
            label: 'As fast as possible',
            text: 'Until the daily budget is used up.',
          },
        ]}
      />
    </>
  )
}

const WINDOWS = [
  { value: 'Hour', label: 'hour' },
  { value: 'Day', label: 'day' },
  { value: 'Week', label: 'week' },
]

export function AudienceStep({ draft, onChange }: StepProps) {
  const { rules } = draft
  return (
    <>
      {rules.length === 0 && (
        <EmptyState
          title="Everyone sees the ads"
          text="Add conditions to narrow the audience. A visitor must match all of them."
        />
      )}
      {rules.map((rule, place) => (
        <div key={rule.id} className="flex flex-col gap-3 rounded-md border p-3">
          <RuleFields
            draft={rule}
            onDraft={(next) =>
              onChange({ rules: rules.map((one, at) => (at === place ? next : one)) })
            }
          />
          <div className="flex items-center justify-between">
            <p className="font-medium text-accent-ink">{describeRule(ruleOf(rule))}</p>
            <IconButton
              label="Remove this condition"
              icon={Trash2}
              onClick={() => onChange({ rules: rules.filter((_, at) => at !== place) })}
            />
          </div>
        </div>
      ))}
      <div>
        <Button icon={Plus} onClick={() => onChange({ rules: [...rules, draftOf('country')] })}>
          Add condition
        </Button>
      </div>
      <div className="grid gap-4 border-t pt-4 sm:grid-cols-2">
        <TextField
          label="Maximum impressions per user"
          isOptional
          type="number"
          min={1}
          value={draft.capTimes}
          onValue={(capTimes) => onChange({ capTimes })}
        />
        <SelectField
          label="Per"
          value={draft.capWindow}
          onValue={(capWindow) => onChange({ capWindow })}
          options={WINDOWS}
        />
      </div>
    </>
  )
}

const toggled = (ids: readonly string[], id: string, isOn: boolean) =>
  isOn ? [...ids, id] : ids.filter((one) => one !== id)

export function CreativeStep({ draft, onChange, world }: StepProps) {
  if (world.banners.length === 0) {
    return (
      <EmptyState
        title={`${world.advertiser?.name ?? 'The advertiser'} has no banner yet`}
        text="Create one first, then come back to this page."
        action={<ButtonLink to="/creatives">Create banner</ButtonLink>}
      />
    )
  }
  return (
    <ul className="grid gap-3 sm:grid-cols-2">
      {world.banners.map((banner) => {
        const isOn = draft.bannerIds.includes(banner.id)
        return (
          <li
            key={banner.id}
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
              <CheckField
                label={banner.title}
                state={isOn}
                onToggle={(turned) =>
                  onChange({ bannerIds: toggled(draft.bannerIds, banner.id, turned) })
                }
              />
              <p className="truncate pl-6 text-xs text-ink-faint">
                {banner.width && banner.height ? `${banner.width} × ${banner.height} · ` : ''}
                {banner.headline ?? 'No headline'}
              </p>
            </div>
          </li>
        )
      })}
    </ul>
  )
}

export function WhereStep({ draft, onChange, world }: StepProps) {
  const currency = world.advertiser?.currency ?? 'EUR'
  if (!world.canPlace) {
    return (
      <EmptyState
        title="Ad operations chooses the placements"
        text="Create your campaign. Ad operations then adds the placements you agreed on."
      />
    )
  }
  return (
    <ul className="-mx-4 -mt-4 border-b">
      {world.placements.map((placement) => {
        const fits = !placement.currency || placement.currency === currency
        return (
          <li
            key={placement.id}
            className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b px-4 py-2.5 last:border-0"
          >
            <span className="min-w-48 flex-1">
              <CheckField
                label={placement.label}
                state={draft.placementIds.includes(placement.id)}
                onToggle={(isOn) =>
                  onChange({ placementIds: toggled(draft.placementIds, placement.id, isOn) })
                }
              />
            </span>
            <span className="w-20 text-right text-xs text-ink-faint figures">
              {sayShortCount(Math.round(world.impressionsOf.get(placement.id) ?? 0))} day
            </span>
            <span className="w-24 text-right text-xs text-ink-faint figures">
              floor {sayMoney(placement.floorMicros, placement.currency ?? currency)}
            </span>
            <span className="w-24">
              <Badge tone={fits ? 'neutral' : 'warn'}>
                {fits ? MODE_NAMES[placement.mode] : `Sells in ${placement.currency}`}
              </Badge>
            </span>
          </li>
        )
      })}
    </ul>
  )
}
