import { Link } from '@tanstack/react-router'
import { ChoiceField, MoneyField, TextField } from '../../../ui/forms/fields.tsx'
import { sayMoney } from '../../../ui/format/format.ts'
import { FaultNotes } from './fault-notes.tsx'
import type { StepProps } from './step.ts'

const PACINGS = [
  { value: 'Smooth', label: 'Even', text: 'Spread the budget over the whole day.' },
  {
    value: 'Accelerated',
    label: 'As fast as possible',
    text: 'Until the daily budget is used up.',
  },
] as const

export function BudgetStep(props: StepProps) {
  const { draft, onChange, world, faultsOf, onMend } = props
  const { currency, zone } = world
  const notes = { currency, onMend }
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <MoneyField
          label="Daily budget"
          isOptional
          currency={currency}
          value={draft.budgetDaily}
          onValue={(budgetDaily) => onChange({ budgetDaily })}
          hint={`Never exceeded. Days in ${zone}.`}
        />
        <MoneyField
          label={
            draft.pricing === 'cpc'
              ? 'Maximum bid per click (CPC)'
              : 'Maximum bid per 1,000 impressions (CPM)'
          }
          currency={currency}
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
      </div>
      <FaultNotes
        faults={faultsOf(
          'campaign/budgetDailyMicros',
          'campaign/maxBidMicros',
          'campaign/targetCpaMicros',
          'campaign/pricing',
        )}
        {...notes}
      />
      <Dates {...props} />
      <Goals {...props} />
      <ChoiceField
        label="Pacing"
        value={draft.pacing}
        onValue={(pacing) => onChange({ pacing })}
        choices={PACINGS}
      />
      <DailyMaximum world={world} />
      <FaultNotes faults={faultsOf('campaign')} {...notes} />
    </>
  )
}

/** What protects the advertiser, whatever its campaigns are set to. */
function DailyMaximum({ world }: Pick<StepProps, 'world'>) {
  const { advertiser, currency } = world
  if (advertiser === undefined) return null
  const { name, budgetDailyMicros } = advertiser
  return (
    <p className="rounded-md bg-sunken px-3 py-2 text-ink-soft">
      {budgetDailyMicros
        ? `All campaigns of ${name} together spend at most ${sayMoney(budgetDailyMicros, currency)} a day.`
        : `No daily limit protects all campaigns of ${name} together.`}{' '}
      <Link to="/advertisers" className="font-medium text-accent-ink underline">
        {budgetDailyMicros ? 'Change it' : 'Set one'}
      </Link>
    </p>
  )
}

function Dates({ draft, onChange, world, faultsOf, onMend }: StepProps) {
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label={`Starts (${world.zone})`}
          isOptional
          type="datetime-local"
          step={1}
          value={draft.startsAt}
          onValue={(startsAt) => onChange({ startsAt })}
          hint="Leave empty to start at once."
        />
        <TextField
          label={`Ends (${world.zone})`}
          isOptional
          type="datetime-local"
          step={1}
          value={draft.endsAt}
          onValue={(endsAt) => onChange({ endsAt })}
          hint="Leave empty to run until you end it."
        />
      </div>
      <FaultNotes
        faults={faultsOf('campaign/startsAt', 'campaign/endsAt')}
        currency={world.currency}
        onMend={onMend}
      />
    </>
  )
}

/** Limits of the whole campaign. */
function Goals({ draft, onChange, world, faultsOf, onMend }: StepProps) {
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-3">
        <MoneyField
          label="Total budget"
          isOptional
          currency={world.currency}
          value={draft.budgetTotal}
          onValue={(budgetTotal) => onChange({ budgetTotal })}
          hint="Never exceeded."
        />
        <TextField
          label="Impressions booked"
          isOptional
          inputMode="numeric"
          value={draft.impressionGoal}
          onValue={(impressionGoal) => onChange({ impressionGoal })}
          hint="Delivery stops when they are counted."
        />
        <TextField
          label="Clicks booked"
          isOptional
          inputMode="numeric"
          value={draft.clickGoal}
          onValue={(clickGoal) => onChange({ clickGoal })}
          hint="Delivery stops when they are counted."
        />
      </div>
      <FaultNotes
        faults={faultsOf(
          'campaign/budgetTotalMicros',
          'campaign/impressionCap',
          'campaign/clickCap',
        )}
        currency={world.currency}
        onMend={onMend}
      />
    </>
  )
}
