import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { api } from '../../../api/client.ts'
import { useChange } from '../../../api/hooks.ts'
import { useMay } from '../../../api/me.ts'
import { isProblem } from '../../../api/problem.ts'
import type { Campaign, Sellpage } from '../../../api/types.ts'
import {
  AreaField,
  MoneyField,
  SelectField,
  SwitchField,
  TextField,
} from '../../../ui/forms/fields.tsx'
import { FormDialog } from '../../../ui/forms/form-dialog.tsx'
import { useForm } from '../../../ui/forms/form.ts'
import { type Choosable, SearchPicker } from '../../../ui/forms/search-picker.tsx'
import { sayWord } from '../../../ui/format/format.ts'
import { notify, notifyProblem } from '../../../ui/overlays/toast.tsx'
import { TOUCHED } from '../changes.ts'
import { useAdvertiserZone } from '../overview.tsx'
import { hintOf } from '../sellers-fields.ts'
import { type CampaignValues, changesIn, valuesOf } from './campaign-values.ts'
import { Conflict } from './conflict.tsx'
import { conflictsIn, mergedValues } from './merged-values.ts'
import { CategoryPickers, ProductPicker } from './taxonomy-pickers.tsx'

const PACES = [
  { value: 'Smooth', label: 'Evenly over the day' },
  { value: 'Accelerated', label: 'As fast as possible' },
]
const PRICINGS = [
  { value: 'cpm', label: 'Per 1,000 impressions (CPM)' },
  { value: 'cpc', label: 'Per click (CPC)' },
]
const OBJECTIVES = ['awareness', 'traffic', 'engagement', 'conversions', 'sales'].map((value) => ({
  value,
  label: sayWord(value),
}))

interface Changed {
  readonly proposal?: { readonly message: string }
}

interface Props {
  readonly campaign: Campaign
  readonly onClose: () => void
}

/** Every field of a campaign that somebody may change. Only changed ones are sent. */
export function EditCampaign({ campaign, onClose }: Props) {
  const zone = useAdvertiserZone(campaign)
  const decides = useMay()('proposals:write')
  const path = `/admin/campaigns/${campaign.id}`
  // The version that the form shows. The page behind it reads newer ones.
  const [base, setBase] = useState(() => shownOf(campaign, zone))
  const [theirs, setTheirs] = useState<Shown>()
  const save = useChange(
    ({ from, after }: { from: Shown; after: CampaignValues }) =>
      api.patch<Changed>(path, changesIn({ before: from.values, after, zone }), from.version),
    { touches: TOUCHED },
  )
  const { values, set, field } = useForm(base.values, save.error)
  const part = { campaign, zone, decides, values, set, field }
  const look = useMutation({
    mutationFn: () => api.get<Campaign>(path),
    onSuccess: (latest) => setTheirs(shownOf(latest, zone)),
    onError: notifyProblem,
  })
  const send = (from: Shown, after: CampaignValues) =>
    save.mutate(
      { from, after },
      {
        onSuccess: ({ proposal }) => {
          notify(proposal ? `Saved. ${proposal.message}` : `“${after.name}” is saved.`)
          onClose()
        },
        onError: (error) => isProblem(error, 'VERSION_MISMATCH') && look.mutate(),
      },
    )
  const settle = (wins: 'mine' | 'theirs', latest: Shown) => {
    const versions = { before: base.values, mine: values, theirs: latest.values }
    const after = mergedValues(versions, wins)
    setBase(latest)
    setTheirs(undefined)
    set(after)
    save.reset()
    if (wins === 'mine') send(latest, after)
  }
  const of = theirs ? { isPending: save.isPending, error: null } : save
  return (
    <FormDialog
      title="Edit campaign"
      action="Save"
      of={of}
      isReady={!theirs}
      onSubmit={() => send(base, values)}
      onClose={onClose}
    >
      <TextField label="Name" required {...field('name')} />
      <Price {...part} />
      <Goals {...part} />
      <Pages {...part} />
      <References {...part} />
      {theirs && (
        <Conflict
          fields={conflictsIn({ before: base.values, mine: values, theirs: theirs.values })}
          onTheirs={() => settle('theirs', theirs)}
          onMine={() => settle('mine', theirs)}
        />
      )}
    </FormDialog>
  )
}

interface Shown {
  readonly version: number
  readonly values: CampaignValues
}

const shownOf = (campaign: Campaign, zone: string): Shown => ({
  version: campaign.version,
  values: valuesOf(campaign, zone),
})

type Form = ReturnType<typeof useForm<keyof CampaignValues>>

interface PartProps extends Form {
  readonly campaign: Campaign
  readonly zone: string
  readonly decides: boolean
}

function Group({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <fieldset className="flex flex-col gap-3 border-t pt-3">
      <legend className="sr-only">{title}</legend>
      <p aria-hidden className="font-semibold">
        {title}
      </p>
      {children}
    </fieldset>
  )
}

const isOn = (text: string) => text === 'true'

function Price({ campaign, decides, values, set, field }: PartProps) {
  const { currency } = campaign
  return (
    <Group title="Price and budget">
      <div className="grid gap-3 sm:grid-cols-2">
        <SelectField label="Objective" {...field('objective')} options={OBJECTIVES} />
        <SelectField
          label="Pays"
          {...field('pricing')}
          options={PRICINGS}
          hint={hintOf('pricing', decides)}
        />
        <MoneyField
          label="Daily budget"
          isOptional
          currency={currency}
          {...field('budgetDailyMicros')}
        />
        <MoneyField
          label="Maximum bid"
          currency={currency}
          hint={hintOf('maxBidMicros', decides)}
          {...field('maxBidMicros')}
        />
        {values.pricing === 'cpc' && (
          <MoneyField
            label="Target cost per purchase"
            isOptional
            currency={currency}
            hint="Bids follow it once it has passed its test: see “Bidding”."
            {...field('targetCpaMicros')}
          />
        )}
        <SelectField label="Pacing" {...field('pacingStrategy')} options={PACES} />
        <TextField
          label="Priority"
          inputMode="numeric"
          hint={hintOf('priority', decides)}
          {...field('priority')}
        />
      </div>
      <SwitchField
        label="Ads may bid above the maximum"
        hint="At most twice the maximum, where a bid agent sees more clicks."
        isOn={isOn(values.mayExceedMaxBid)}
        onToggle={(on) => set({ mayExceedMaxBid: String(on) })}
      />
    </Group>
  )
}

function Goals({ campaign, zone, field }: PartProps) {
  return (
    <Group title="Dates and goals">
      <div className="grid gap-3 sm:grid-cols-2">
        <TextField
          label={`Starts (${zone})`}
          isOptional
          type="datetime-local"
          step={1}
          {...field('startsAt')}
        />
        <TextField
          label={`Ends (${zone})`}
          isOptional
          type="datetime-local"
          step={1}
          {...field('endsAt')}
        />
        <MoneyField
          label="Total budget"
          isOptional
          currency={campaign.currency}
          hint="Never exceeded."
          {...field('budgetTotalMicros')}
        />
        <TextField
          label="Impressions booked"
          isOptional
          inputMode="numeric"
          hint={GOAL_HINT}
          {...field('impressionCap')}
        />
        <TextField
          label="Clicks booked"
          isOptional
          inputMode="numeric"
          hint={GOAL_HINT}
          {...field('clickCap')}
        />
      </div>
    </Group>
  )
}

/** Ads that are on pages already may still count. */
export const GOAL_HINT =
  'No ad is served once they are counted. Ads that readers have open at that moment still count.'

function Pages({ decides, values, set, field }: PartProps) {
  const categories = values.categories.split(',').filter(Boolean)
  return (
    <Group title="Pages and product">
      <CategoryPickers
        values={categories}
        onValues={(chosen) => set({ categories: chosen.join(',') })}
        fault={field('categories').fault}
      />
      {categories.length > 0 && (
        <SwitchField
          label="Also on pages that nobody has classified yet"
          isOn={isOn(values.runsOnUnknownPages)}
          onToggle={(on) => set({ runsOnUnknownPages: String(on) })}
        />
      )}
      <ProductPicker label="Advertised product" {...field('adProductCategory')} />
      <TextField
        label="Exclusion labels"
        isOptional
        placeholder="cars, airlines"
        hint={
          hintOf('exclusionLabels', decides) ??
          'Separated by commas. A page shows no two ads of campaigns that share a label.'
        }
        {...field('exclusionLabels')}
      />
    </Group>
  )
}

const sellpagesOf = (advertiserId: string): Choosable<Sellpage> => ({
  path: '/admin/sellpages',
  query: { advertiserId, sort: 'name' },
  choiceOf: ({ id, name, url }) => ({ value: id, label: name, note: url }),
})

function References({ campaign, decides, field }: PartProps) {
  return (
    <Group title="References">
      <AreaField label="Description" isOptional rows={2} {...field('description')} />
      <SearchPicker
        of={sellpagesOf(campaign.advertiserId)}
        label="Sellpage"
        isOptional
        none="None"
        {...field('sellpageId')}
      />
      <div className="grid gap-3 sm:grid-cols-2">
        <TextField label="Contract" isOptional {...field('contractRef')} />
        <TextField label="Your own id" isOptional {...field('externalId')} />
      </div>
      <AreaField
        label="Other placements wanted"
        isOptional
        rows={2}
        hint={hintOf('placementWishes', decides) ?? 'What the buyer asks for.'}
        {...field('placementWishes')}
      />
    </Group>
  )
}
