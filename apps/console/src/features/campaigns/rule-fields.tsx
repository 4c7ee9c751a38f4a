import type { RuleType } from '@placard/contract/targeting'
import { RULE_KINDS, RULE_TYPES, type RuleOperator } from '@placard/contract/targeting-words'
import type { Choice } from '../../ui/forms/choices.ts'
import { COUNTRY_CHOICES, LANGUAGE_CHOICES } from '../../ui/format/codes.ts'
import { CheckField, SelectField, TextField } from '../../ui/forms/fields.tsx'
import { sayWord } from '../../ui/format/format.ts'
import { ChoicePickers } from '../../ui/forms/search-picker.tsx'
import { draftOf, operatorsOf, type RuleDraft, wordsOf } from './rule-draft.ts'

const OPERATOR_LABELS: Readonly<Record<RuleOperator, string>> = {
  in: 'is one of',
  not_in: 'is none of',
  contains_all: 'has all of',
  eq: 'is',
  between: 'is between',
  ends_with: 'matches, or is a subdomain of',
}

const CHOICES: Readonly<
  Partial<Record<RuleType, readonly { readonly value: string; readonly label: string }[]>>
> = {
  device: ['mobile', 'tablet', 'desktop'].map((value) => ({ value, label: sayWord(value) })),
  login_state: [
    { value: 'logged_in', label: 'Signed in' },
    { value: 'guest', label: 'Guest' },
  ],
  new_visitor: [
    { value: 'true', label: 'New' },
    { value: 'false', label: 'Returning' },
  ],
  day_of_week: ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'].map(
    (label, day) => ({ value: String(day), label }),
  ),
}

/** Values with a code and a name, found by either. */
const CODES: Readonly<Partial<Record<RuleType, readonly Choice[]>>> = {
  country: COUNTRY_CHOICES,
  language: LANGUAGE_CHOICES,
}

const HINTS: Readonly<Partial<Record<RuleType, string>>> = {
  user_segment: 'Segment names separated by commas',
  hour_of_day: 'Hours from 0 to 23 separated by commas, in the placement’s time zone',
  referrer_domain: 'Domains separated by commas: news.example',
}

interface Props {
  readonly draft: RuleDraft
  readonly onDraft: (draft: RuleDraft) => void
}

/** The fields of a condition: attribute, operator, values. */
export function RuleFields({ draft, onDraft }: Props) {
  const { ruleType, operator } = draft
  return (
    <>
      <div className="grid gap-3 sm:grid-cols-2">
        <SelectField
          label="Attribute"
          value={ruleType}
          onValue={(value) => onDraft({ ...draftOf(value), id: draft.id })}
          options={RULE_TYPES.map((value) => ({ value, label: RULE_KINDS[value].label }))}
        />
        <SelectField
          label="Condition"
          value={operator}
          onValue={(value) => onDraft({ ...draft, operator: value })}
          options={operatorsOf(ruleType).map((value) => ({ value, label: OPERATOR_LABELS[value] }))}
        />
      </div>
      <Value draft={draft} onDraft={onDraft} />
    </>
  )
}

function Value({ draft, onDraft }: Props) {
  const { ruleType, operator, words } = draft
  const shape = RULE_KINDS[ruleType].operators[operator]
  const choices = CHOICES[ruleType]
  if (shape === 'range') return <Range draft={draft} onDraft={onDraft} />
  if (shape === 'value' && choices) {
    return (
      <SelectField
        label="Value"
        value={words}
        onValue={(value) => onDraft({ ...draft, words: value })}
        options={choices}
      />
    )
  }
  if (choices) return <Ticks draft={draft} onDraft={onDraft} choices={choices} />
  const codes = CODES[ruleType]
  if (codes) {
    return (
      <ChoicePickers
        label={RULE_KINDS[ruleType].label}
        choices={codes}
        values={wordsOf(words)}
        onValues={(values) => onDraft({ ...draft, words: values.join(', ') })}
      />
    )
  }
  return (
    <TextField
      label="Values"
      value={words}
      hint={HINTS[ruleType]}
      onValue={(value) => onDraft({ ...draft, words: value })}
    />
  )
}

function Range({ draft, onDraft }: Props) {
  const hours = Array.from({ length: 24 }, (_, hour) => ({
    value: String(hour),
    label: `${hour}:00`,
  }))
  const ends = hours.map(({ value }) => ({ value, label: `${value}:59` }))
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      <SelectField
        label="From"
        value={String(draft.from)}
        onValue={(value) => onDraft({ ...draft, from: Number(value) })}
        options={hours}
      />
      <SelectField
        label="To"
        value={String(draft.to)}
        onValue={(value) => onDraft({ ...draft, to: Number(value) })}
        options={ends}
      />
    </div>
  )
}

function Ticks({
  draft,
  onDraft,
  choices,
}: Props & { readonly choices: readonly { value: string; label: string }[] }) {
  const chosen = new Set(wordsOf(draft.words))
  const toggle = (value: string, isOn: boolean) => {
    if (isOn) chosen.add(value)
    else chosen.delete(value)
    onDraft({ ...draft, words: [...chosen].join(', ') })
  }
  return (
    <fieldset className="flex flex-wrap gap-x-5 gap-y-2">
      <legend className="mb-1.5 text-xs font-medium text-ink-soft">Values</legend>
      {choices.map(({ value, label }) => (
        <CheckField
          key={value}
          label={label}
          state={chosen.has(value)}
          onToggle={(isOn) => toggle(value, isOn)}
        />
      ))}
    </fieldset>
  )
}
