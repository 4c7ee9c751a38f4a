import { describeRule } from '@placard/contract/targeting-words'
import { Plus, Trash2 } from 'lucide-react'
import { Badge } from '../../../ui/badge.tsx'
import { Button, ButtonLink, IconButton } from '../../../ui/button.tsx'
import { cx } from '../../../ui/cx.ts'
import { CheckField, ChoiceField, MoneyField, SelectField, TextField } from '../../../ui/fields.tsx'
import { sayMoney, sayShortCount } from '../../../ui/format.ts'
import { EmptyState } from '../../../ui/states.tsx'
import { draftOf, ruleOf } from '../rule-draft.ts'
import { RuleFields } from '../rule-fields.tsx'
import { type Draft, SUITS } from './draft.ts'
import type { BookingWorld } from './world.ts'

interface StepProps {
  readonly draft: Draft
  readonly onChange: (part: Partial<Draft>) => void
  readonly world: BookingWorld
}

const GOALS = [
  {
    value: 'traffic',
    label: 'Visits',
    text: 'People who click through to a page. Pays per click.',
  },
  { value: 'sales', label: 'Sales', text: 'Buyers. Pays per click, counts purchases.' },
  {
    value: 'awareness',
    label: 'Being seen',
    text: 'As many eyes as possible. Pays per thousand shown.',
  },
  {
    value: 'conversions',
    label: 'Something done',
    text: 'A sign-up, a basket, a checkout. Pays per click.',
  },
] as const

export function GoalStep({ draft, onChange, world }: StepProps) {
  return (
    <>
      {world.advertisers.length > 1 && (
        <SelectField
          label="For whom"
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
        hint="Only your own people see it."
      />
      <ChoiceField
        label="Goal"
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
          label="Budget a day"
          currency={currency}
          required
          value={draft.budgetDaily}
          onValue={(budgetDaily) => onChange({ budgetDaily })}
          hint={`A day in ${world.advertiser?.timeZone ?? 'your zone'}; never more than this.`}
        />
        <MoneyField
          label={
            draft.pricing === 'cpc' ? 'Highest price for a click' : 'Highest price for a thousand'
          }
          currency={currency}
          required
          value={draft.bid}
          onValue={(bid) => onChange({ bid })}
          hint="You pay just more than the next bidder, at most this."
        />
        <TextField
          label="Starts"
          isOptional
          type="datetime-local"
          value={draft.startsAt}
          onValue={(startsAt) => onChange({ startsAt })}
          hint="Empty: as soon as you start it."
        />
        <TextField
          label="Ends"
          isOptional
          type="datetime-local"
          value={draft.endsAt}
          onValue={(endsAt) => onChange({ endsAt })}
          hint="Empty: until you end it."
        />
      </div>
      <ChoiceField
        label="Pace"
        value={draft.pacing}
        onValue={(pacing) => onChange({ pacing })}
        choices={[
          { value: 'Smooth', label: 'Evenly', text: 'Spread over the whole day.' },
          {
            value: 'Accelerated',
            label: 'As fast as it can',
            text: 'Until the budget of the day is gone.',
          },
        ]}
      />
    </>
  )
}

const WINDOWS = [
  { value: 'Hour', label: 'an hour' },
  { value: 'Day', label: 'a day' },
  { value: 'Week', label: 'a week' },
]

export function AudienceStep({ draft, onChange }: StepProps) {
  const { rules } = draft
  return (
    <>
      {rules.length === 0 && (
        <EmptyState
          title="Everybody sees it"
          text="Add conditions if only some should. All of them must hold."
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
              label="Take this condition away"
              icon={Trash2}
              onClick={() => onChange({ rules: rules.filter((_, at) => at !== place) })}
            />
          </div>
        </div>
      ))}
      <div>
        <Button icon={Plus} onClick={() => onChange({ rules: [...rules, draftOf('country')] })}>
          Add a condition
        </Button>
      </div>
      <div className="grid gap-4 border-t pt-4 sm:grid-cols-2">
        <TextField
          label="One person sees it at most, times"
          isOptional
          type="number"
          min={1}
          value={draft.capTimes}
          onValue={(capTimes) => onChange({ capTimes })}
        />
        <SelectField
          label="In"
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
        text="Make one first; this page keeps its place in your history."
        action={<ButtonLink to="/creatives">Make a banner</ButtonLink>}
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
                onTurn={(turned) =>
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
        title="Ad operations chooses the places"
        text="Book your campaign; they put it on the placements that you agree on."
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
                onTurn={(isOn) =>
                  onChange({ placementIds: toggled(draft.placementIds, placement.id, isOn) })
                }
              />
            </span>
            <span className="w-20 text-right text-xs text-ink-faint figures">
              {sayShortCount(Math.round(world.impressionsOf.get(placement.id) ?? 0))} a day
            </span>
            <span className="w-24 text-right text-xs text-ink-faint figures">
              floor {sayMoney(placement.floorMicros, placement.currency ?? currency)}
            </span>
            <span className="w-24">
              <Badge tone={fits ? 'neutral' : 'warn'}>
                {fits ? placement.mode : `sells in ${placement.currency}`}
              </Badge>
            </span>
          </li>
        )
      })}
    </ul>
  )
}
