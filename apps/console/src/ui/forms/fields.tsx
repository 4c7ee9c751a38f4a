import { Checkbox as RadixCheckbox, Switch as RadixSwitch } from 'radix-ui'
import { Check, ChevronDown } from 'lucide-react'
import { useId, type InputHTMLAttributes, type ReactNode, type TextareaHTMLAttributes } from 'react'
import { cx } from '../cx.ts'

interface FieldShape {
  readonly label: string
  readonly hint?: ReactNode
  /** The server's fault for this field. */
  readonly fault?: string | undefined
  readonly isOptional?: boolean
}

interface Wired {
  readonly id: string
  readonly 'aria-describedby': string | undefined
  readonly 'aria-invalid': true | undefined
}

/** Label, hint and fault of a field, connected to its input. */
export function Field({
  label,
  hint,
  fault,
  isOptional,
  children,
}: FieldShape & { readonly children: (wired: Wired) => ReactNode }) {
  const id = useId()
  const about = hint || fault ? `${id}-about` : undefined
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <label htmlFor={id} className="text-xs font-medium text-ink-soft">
        {label}
        {isOptional && <span className="font-normal text-ink-faint"> · optional</span>}
      </label>
      {children({ id, 'aria-describedby': about, 'aria-invalid': fault ? true : undefined })}
      {about && (
        <p id={about} className={cx('text-xs', fault ? 'text-bad' : 'text-ink-faint')}>
          {fault ? `This ${fault}.` : hint}
        </p>
      )}
    </div>
  )
}

const BOX =
  'w-full min-w-0 rounded-md border border-line-strong bg-surface text-ink placeholder:text-ink-faint shadow-card ' +
  'focus-visible:outline-2 focus-visible:-outline-offset-1 focus-visible:outline-accent aria-invalid:border-bad disabled:opacity-60'

type Input = Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange' | 'value'>

interface TextProps extends FieldShape, Input {
  readonly value: string
  readonly onValue: (value: string) => void
  /** Shown inside the box, after the text. */
  readonly suffix?: string | undefined
}

export function TextField({
  label,
  hint,
  fault,
  isOptional,
  value,
  onValue,
  suffix,
  ...rest
}: TextProps) {
  return (
    <Field {...{ label, hint, fault, isOptional: isOptional ?? false }}>
      {(wired) => (
        <span className="relative">
          <input
            {...rest}
            {...wired}
            value={value}
            onChange={({ target }) => onValue(target.value)}
            className={cx(BOX, 'h-8 px-2.5', suffix && 'pr-12')}
          />
          {suffix && (
            <span className="pointer-events-none absolute inset-y-0 right-2.5 flex items-center text-xs text-ink-faint">
              {suffix}
            </span>
          )}
        </span>
      )}
    </Field>
  )
}

/** A field for an amount. `readMoney` converts it to micros. */
export function MoneyField({ currency, ...rest }: TextProps & { readonly currency: string }) {
  return <TextField inputMode="decimal" autoComplete="off" suffix={currency} {...rest} />
}

interface AreaProps
  extends FieldShape, Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'onChange' | 'value'> {
  readonly value: string
  readonly onValue: (value: string) => void
}

export function AreaField({ label, hint, fault, isOptional, value, onValue, ...rest }: AreaProps) {
  return (
    <Field {...{ label, hint, fault, isOptional: isOptional ?? false }}>
      {(wired) => (
        <textarea
          rows={3}
          {...rest}
          {...wired}
          value={value}
          onChange={({ target }) => onValue(target.value)}
          className={cx(BOX, 'px-2.5 py-1.5')}
        />
      )}
    </Field>
  )
}

export interface Option<Value extends string = string> {
  readonly value: Value
  readonly label: string
}

interface SelectProps<Value extends string> {
  readonly value: Value
  readonly onValue: (value: Value) => void
  readonly options: readonly Option<Value>[]
  readonly disabled?: boolean
}

export function SelectField<Value extends string>({
  label,
  hint,
  fault,
  isOptional,
  ...rest
}: FieldShape & SelectProps<Value>) {
  return (
    <Field {...{ label, hint, fault, isOptional: isOptional ?? false }}>
      {(wired) => <Select {...rest} {...wired} />}
    </Field>
  )
}

/** The browser's own select: it works with every keyboard, screen reader and phone. */
function Select<Value extends string>({
  value,
  onValue,
  options,
  ...rest
}: SelectProps<Value> & Partial<Wired>) {
  return (
    <span className="relative">
      <select
        {...rest}
        value={value}
        onChange={({ target }) => onValue(target.value as Value)}
        className={cx(BOX, 'h-8 appearance-none truncate pr-8 pl-2.5')}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      <ChevronDown
        className="pointer-events-none absolute top-1/2 right-2.5 size-3.5 -translate-y-1/2 text-ink-faint"
        aria-hidden
      />
    </span>
  )
}

/** A select in a filter bar. Only screen readers read its label. */
export function FilterSelect({ label, ...rest }: { readonly label: string } & SelectProps<string>) {
  return (
    <label className="w-[calc(50%-0.25rem)] sm:w-auto sm:max-w-56 sm:min-w-36">
      <span className="sr-only">{label}</span>
      <Select {...rest} />
    </label>
  )
}

interface SwitchProps {
  readonly label: string
  readonly hint?: string
  readonly isOn: boolean
  readonly onToggle: (isOn: boolean) => void
  readonly disabled?: boolean
}

export function SwitchField({ label, hint, isOn, onToggle, disabled }: SwitchProps) {
  const id = useId()
  return (
    <div className="flex items-start gap-2.5">
      <RadixSwitch.Root
        id={id}
        checked={isOn}
        onCheckedChange={onToggle}
        disabled={disabled ?? false}
        className="mt-0.5 h-4.5 w-8 shrink-0 rounded-full bg-line-strong transition-colors disabled:opacity-50 data-[state=checked]:bg-accent"
      >
        <RadixSwitch.Thumb className="block size-3.5 translate-x-0.5 rounded-full bg-white shadow-card transition-transform data-[state=checked]:translate-x-4" />
      </RadixSwitch.Root>
      <label htmlFor={id} className="min-w-0">
        <span className="font-medium">{label}</span>
        {hint && <span className="block text-xs text-ink-faint">{hint}</span>}
      </label>
    </div>
  )
}

interface CheckProps {
  readonly label: string
  readonly isHidden?: boolean
  readonly state: boolean | 'indeterminate'
  readonly onToggle: (isOn: boolean) => void
}

/** A checkbox. With `isHidden`, only screen readers read its label. */
export function CheckField({ label, isHidden = false, state, onToggle }: CheckProps) {
  const id = useId()
  return (
    <span className="flex items-center gap-2">
      <RadixCheckbox.Root
        id={id}
        checked={state}
        onCheckedChange={(next) => onToggle(next === true)}
        aria-label={isHidden ? label : undefined}
        className="grid size-4 shrink-0 place-items-center rounded-sm border border-line-strong bg-surface data-[state=checked]:border-accent data-[state=checked]:bg-accent data-[state=indeterminate]:border-accent data-[state=indeterminate]:bg-accent"
      >
        <RadixCheckbox.Indicator>
          {state === 'indeterminate' ? (
            <span className="block h-0.5 w-2 rounded-full bg-on-accent" />
          ) : (
            <Check className="size-3 text-on-accent" strokeWidth={3} aria-hidden />
          )}
        </RadixCheckbox.Indicator>
      </RadixCheckbox.Root>
      {!isHidden && <label htmlFor={id}>{label}</label>}
    </span>
  )
}

export interface Choice<Value extends string> extends Option<Value> {
  readonly text?: ReactNode
}

/** A few options side by side, each with an explanation. */
export function ChoiceField<Value extends string>({
  label,
  value,
  onValue,
  choices,
}: {
  readonly label: string
  readonly value: Value
  readonly onValue: (value: Value) => void
  readonly choices: readonly Choice<Value>[]
}) {
  const name = useId()
  return (
    <fieldset className="flex flex-col gap-1">
      <legend className="mb-1 text-xs font-medium text-ink-soft">{label}</legend>
      <div className="grid gap-2 sm:grid-cols-2">
        {choices.map((choice) => (
          <label
            key={choice.value}
            className={cx(
              'flex cursor-pointer gap-2.5 rounded-md border p-3 transition-colors has-focus-visible:outline-2 has-focus-visible:outline-accent',
              choice.value === value
                ? 'border-accent bg-accent-soft'
                : 'border-line-strong hover:bg-hover',
            )}
          >
            <input
              type="radio"
              name={name}
              value={choice.value}
              checked={choice.value === value}
              onChange={() => onValue(choice.value)}
              className="mt-0.5 size-4 shrink-0 accent-accent outline-none"
            />
            <span>
              <span className="font-medium">{choice.label}</span>
              {choice.text && <span className="block text-xs text-ink-soft">{choice.text}</span>}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
