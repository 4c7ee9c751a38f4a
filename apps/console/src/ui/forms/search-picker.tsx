import { Command } from 'cmdk'
import { Check, ChevronDown, X } from 'lucide-react'
import { Popover } from 'radix-ui'
import { type AriaAttributes, type ReactNode, useState } from 'react'
import { useRead } from '../../api/hooks.ts'
import type { Query } from '../../api/client.ts'
import type { PageOf } from '../../api/types.ts'
import { type Choice, findChoices } from './choices.ts'
import { cx } from '../cx.ts'
import { Field } from './fields.tsx'

/** A list of the API to choose from. The server searches it. */
export interface Choosable<Row> {
  /** `/admin/advertisers`. One row is at `/admin/advertisers/{id}`. */
  readonly path: string
  readonly query?: Query
  choiceOf(row: Row): Choice
}

interface PickProps {
  readonly label: string
  readonly hint?: ReactNode
  readonly fault?: string | undefined
  readonly isOptional?: boolean
  /** The button's text while nothing is chosen: "Any advertiser". */
  readonly none?: string
  /** In a filter bar, only screen readers read the label. */
  readonly isFilter?: boolean
}

interface OneProps {
  readonly value: string
  readonly onValue: (value: string) => void
}

interface SeveralProps {
  readonly values: readonly string[]
  readonly onValues: (values: readonly string[]) => void
  readonly most?: number
}

const SHOWN_MAX = 20

/** Chooses one of thousands, searched by the server: an advertiser, a placement, a user. */
export function SearchPicker<Row>({
  of,
  value,
  onValue,
  ...field
}: PickProps & OneProps & { readonly of: Choosable<Row> }) {
  return (
    <PickerField {...field} text={value && <NameOf of={of} value={value} />}>
      {(close) => (
        <ServerChoices
          of={of}
          label={field.label}
          chosen={value ? [value] : []}
          onPick={(picked) => {
            onValue(picked === value && field.isOptional ? '' : picked)
            close()
          }}
        />
      )}
    </PickerField>
  )
}

/** Chooses several of thousands, searched by the server. */
export function SearchPickers<Row>({
  of,
  values,
  onValues,
  most,
  ...field
}: PickProps & SeveralProps & { readonly of: Choosable<Row> }) {
  return (
    <>
      <PickerField {...field} text={countOf(values)}>
        {() => (
          <ServerChoices
            of={of}
            label={field.label}
            chosen={values}
            onPick={(picked) => onValues(toggled(values, picked, most))}
          />
        )}
      </PickerField>
      <Chosen values={values} onValues={onValues}>
        {(value) => <NameOf of={of} value={value} />}
      </Chosen>
    </>
  )
}

/** Chooses one entry of a short list: a country, a language. */
export function ChoicePicker({
  choices,
  value,
  onValue,
  ...field
}: PickProps & OneProps & { readonly choices: readonly Choice[] }) {
  const label = choices.find((one) => one.value === value)?.label ?? value
  return (
    <PickerField {...field} text={label}>
      {(close) => (
        <KnownChoices
          label={field.label}
          choices={choices}
          chosen={value ? [value] : []}
          onPick={(picked) => {
            onValue(picked === value && field.isOptional ? '' : picked)
            close()
          }}
        />
      )}
    </PickerField>
  )
}

/** Chooses several entries of a short list by label, note or code: countries, categories. */
export function ChoicePickers({
  choices,
  values,
  onValues,
  most,
  ...field
}: PickProps & SeveralProps & { readonly choices: readonly Choice[] }) {
  const labelOf = (value: string) => choices.find((one) => one.value === value)?.label ?? value
  return (
    <>
      <PickerField {...field} text={countOf(values)}>
        {() => (
          <KnownChoices
            label={field.label}
            choices={choices}
            chosen={values}
            onPick={(picked) => onValues(toggled(values, picked, most))}
          />
        )}
      </PickerField>
      <Chosen values={values} onValues={onValues}>
        {labelOf}
      </Chosen>
    </>
  )
}

const countOf = (values: readonly string[]) => (values.length > 0 ? `${values.length} chosen` : '')

/** At `most` choices, another one changes nothing. */
const toggled = (values: readonly string[], picked: string, most = Number.POSITIVE_INFINITY) => {
  if (values.includes(picked)) return values.filter((value) => value !== picked)
  return values.length < most ? [...values, picked] : values
}

function NameOf<Row>({ of, value }: { readonly of: Choosable<Row>; readonly value: string }) {
  const row = useRead<Row>(`${of.path}/${value}`)
  return <>{row.data ? of.choiceOf(row.data).label : row.error ? 'No longer there' : '…'}</>
}

interface PickerFieldProps extends PickProps {
  readonly text: ReactNode
  readonly children: (close: () => void) => ReactNode
}

function PickerField({ isFilter = false, ...rest }: PickerFieldProps) {
  if (isFilter) return <PickerButton {...rest} wired={{}} isFilter />
  return <Field {...rest}>{(wired) => <PickerButton {...rest} wired={wired} />}</Field>
}

interface ButtonProps extends Pick<PickerFieldProps, 'label' | 'text' | 'none' | 'children'> {
  readonly wired: AriaAttributes & { readonly id?: string }
  readonly isFilter?: boolean
}

function PickerButton({ label, text, none = 'Choose …', children, wired, isFilter }: ButtonProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <Popover.Root open={isOpen} onOpenChange={setOpen}>
      <Popover.Trigger
        {...wired}
        className="inline-flex h-8 w-full min-w-0 items-center justify-between gap-1.5 rounded-md border border-line-strong bg-surface px-2.5 text-left shadow-card hover:bg-hover aria-invalid:border-bad"
      >
        {isFilter && <span className="sr-only">{label}: </span>}
        <span className={cx('truncate', !text && 'text-ink-faint')}>{text || none}</span>
        <ChevronDown className="size-3.5 shrink-0 text-ink-faint" aria-hidden />
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          align="start"
          sideOffset={6}
          collisionPadding={8}
          aria-label={label}
          className="z-50 w-80 max-w-[calc(100vw-1rem)] rounded-lg bg-surface p-1 shadow-float appear"
        >
          {children(() => setOpen(false))}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}

interface ChoicesProps {
  readonly label: string
  readonly chosen: readonly string[]
  readonly onPick: (value: string) => void
}

function ServerChoices<Row>({ of, ...rest }: ChoicesProps & { readonly of: Choosable<Row> }) {
  const [search, setSearch] = useState('')
  const found = useRead<PageOf<Row>>(of.path, {
    query: { ...of.query, search: search.trim(), limit: SHOWN_MAX },
  })
  const choices = found.data?.items.map((row) => of.choiceOf(row)) ?? []
  const note = found.isPending
    ? 'Searching …'
    : found.error
      ? 'The search failed. Type again to repeat it.'
      : found.data?.nextCursor && 'More results: type part of the name.'
  return (
    <ChoiceList
      {...rest}
      {...{ search, choices, note }}
      onSearch={setSearch}
      isEmpty={!found.isPending}
    />
  )
}

function KnownChoices({
  choices,
  ...rest
}: ChoicesProps & { readonly choices: readonly Choice[] }) {
  const [search, setSearch] = useState('')
  const found = findChoices(choices, search)
  const note = found.length > SHOWN_MAX && 'More results: type part of the name.'
  return (
    <ChoiceList
      {...rest}
      {...{ search, note }}
      choices={found.slice(0, SHOWN_MAX)}
      onSearch={setSearch}
      isEmpty
    />
  )
}

interface ListProps extends ChoicesProps {
  readonly choices: readonly Choice[]
  readonly search: string
  readonly onSearch: (search: string) => void
  readonly note: ReactNode
  /** True if the list is loaded and empty. */
  readonly isEmpty: boolean
}

function ChoiceList({
  label,
  choices,
  chosen,
  onPick,
  search,
  onSearch,
  note,
  isEmpty,
}: ListProps) {
  return (
    <Command shouldFilter={false} label={label} loop>
      <Command.Input
        value={search}
        onValueChange={onSearch}
        placeholder={`Find in ${label.toLowerCase()}`}
        className="h-8 w-full rounded-md bg-transparent px-2 placeholder:text-ink-faint focus:outline-none"
      />
      <Command.List className="max-h-72 overflow-y-auto border-t pt-1">
        {choices.map((choice) => (
          <Command.Item
            key={choice.value}
            value={choice.value}
            onSelect={() => onPick(choice.value)}
            className="flex cursor-pointer items-center gap-2 rounded-md px-2 py-1.5 data-[selected=true]:bg-hover"
          >
            <span className="min-w-0 flex-1">
              <span className="block truncate">{choice.label}</span>
              {choice.note && (
                <span className="block truncate text-xs text-ink-faint">{choice.note}</span>
              )}
            </span>
            {chosen.includes(choice.value) && (
              <Check className="size-4 shrink-0 text-accent" aria-label="chosen" />
            )}
          </Command.Item>
        ))}
        {choices.length === 0 && isEmpty && (
          <p className="px-2 py-1.5 text-ink-faint">No matches.</p>
        )}
      </Command.List>
      {note && <p className="px-2 py-1 text-xs text-ink-faint">{note}</p>}
    </Command>
  )
}

interface ChosenProps extends SeveralProps {
  readonly children: (value: string) => ReactNode
}

function Chosen({ values, onValues, children }: ChosenProps) {
  if (values.length === 0) return null
  return (
    <ul className="mt-1 flex flex-wrap gap-1">
      {values.map((value) => (
        <li
          key={value}
          className="inline-flex max-w-full items-center gap-1 rounded-md bg-sunken py-0.5 pr-0.5 pl-2 text-xs"
        >
          <span className="truncate">{children(value)}</span>
          <button
            type="button"
            aria-label="Remove"
            onClick={() => onValues(values.filter((other) => other !== value))}
            className="rounded p-0.5 text-ink-faint hover:bg-hover hover:text-ink"
          >
            <X className="size-3" aria-hidden />
          </button>
        </li>
      ))}
    </ul>
  )
}
