import { ADVERTISERS } from '../../../things/choosables.ts'
import { ChoiceField, TextField } from '../../../ui/forms/fields.tsx'
import { SearchPicker } from '../../../ui/forms/search-picker.tsx'
import { SUITS } from './draft.ts'
import { FaultNotes } from './fault-notes.tsx'
import type { StepProps } from './step.ts'

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

export function GoalStep({ draft, onChange, world, faultsOf, onMend }: StepProps) {
  const notes = { currency: world.currency, onMend }
  return (
    <>
      {world.choosesAdvertiser && (
        <SearchPicker
          of={ADVERTISERS}
          label="Advertiser"
          value={draft.advertiserId}
          onValue={(advertiserId) => onChange({ advertiserId, bannerIds: [] })}
        />
      )}
      <FaultNotes faults={faultsOf('campaign/advertiserId')} {...notes} />
      <TextField
        label="Name"
        value={draft.name}
        maxLength={255}
        onValue={(name) => onChange({ name })}
        placeholder="Autumn boots"
        hint="Only visible in the console."
      />
      <FaultNotes faults={faultsOf('campaign/name')} {...notes} />
      <ChoiceField
        label="Objective"
        value={draft.objective}
        onValue={(objective) => onChange({ objective, ...SUITS[objective] })}
        choices={GOALS}
      />
      <FaultNotes faults={faultsOf('campaign/objective', 'campaign/source')} {...notes} />
    </>
  )
}
