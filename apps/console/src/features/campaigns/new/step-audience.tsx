import { describeRule } from '@placard/contract/targeting-words'
import { Plus, Trash2 } from 'lucide-react'
import { Button, IconButton } from '../../../ui/button.tsx'
import { SelectField, TextField } from '../../../ui/forms/fields.tsx'
import { EmptyState } from '../../../ui/layout/states.tsx'
import { draftOf, ruleOf } from '../rule-draft.ts'
import { RuleFields } from '../rule-fields.tsx'
import { FaultNotes } from './fault-notes.tsx'
import type { StepProps } from './step.ts'

export const WINDOWS = [
  { value: 'Hour', label: 'hour' },
  { value: 'Day', label: 'day' },
  { value: 'Week', label: 'week' },
  { value: 'Month', label: 'month' },
  { value: 'Lifetime', label: 'whole campaign' },
]

export function AudienceStep({ draft, onChange, world, faultsOf, onMend }: StepProps) {
  const { rules } = draft
  const notes = { currency: world.currency, onMend }
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
          <FaultNotes faults={faultsOf(`targetingRules/${place}`)} {...notes} />
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
          inputMode="numeric"
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
      <FaultNotes faults={faultsOf('frequencyCaps/0')} {...notes} />
    </>
  )
}
