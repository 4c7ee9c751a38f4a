import { ChevronDown, type LucideIcon } from 'lucide-react'
import { Popover } from 'radix-ui'
import { useState } from 'react'
import { CheckField, type Option } from './fields.tsx'
import { SearchBox } from './search-box.tsx'

interface PickerProps {
  /** What the picker chooses. */
  readonly label: string
  /** The text of the button. */
  readonly text: string
  readonly icon?: LucideIcon
  readonly options: readonly Option[]
  readonly chosen: readonly string[]
  /** In the order of selection. */
  readonly onChoose: (chosen: readonly string[]) => void
  readonly most?: number
  readonly isLoading?: boolean
  /** Opens at once, because the user has just added it. */
  readonly isNew?: boolean
}

const SEARCHED_FROM = 9
const SHOWN_MAX = 200

/** Chooses one or several of many by name. */
export function Picker(props: PickerProps) {
  const { label, text, icon: Icon, isNew = false } = props
  return (
    <Popover.Root defaultOpen={isNew}>
      <Popover.Trigger
        aria-label={`${label}: ${text}`}
        className="inline-flex h-8 max-w-72 min-w-0 items-center gap-1.5 rounded-md border border-line-strong bg-surface px-2.5 shadow-card hover:bg-hover"
      >
        {Icon && <Icon className="size-3.5 shrink-0 text-ink-faint" aria-hidden />}
        <span className="truncate">{text}</span>
        <ChevronDown className="size-3.5 shrink-0 text-ink-faint" aria-hidden />
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          align="start"
          sideOffset={6}
          collisionPadding={8}
          aria-label={label}
          className="z-50 flex max-h-[min(24rem,var(--radix-popover-content-available-height))] w-72 flex-col rounded-lg bg-surface p-2 shadow-float appear"
        >
          <Choices {...props} />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}

function Choices({ label, options, chosen, onChoose, most, isLoading = false }: PickerProps) {
  const [search, setSearch] = useState('')
  const found = options.filter((option) =>
    option.label.toLowerCase().includes(search.toLowerCase()),
  )
  const isFull = most !== undefined && chosen.length >= most
  const turn = (value: string, isOn: boolean) =>
    onChoose(isOn ? [...chosen, value] : chosen.filter((other) => other !== value))
  return (
    <>
      {options.length >= SEARCHED_FROM && (
        <div className="mb-2">
          <SearchBox label={`Find in ${label.toLowerCase()}`} value={search} onValue={setSearch} />
        </div>
      )}
      <ul className="flex min-h-0 flex-col overflow-y-auto">
        {found.slice(0, SHOWN_MAX).map(({ value, label: name }) => {
          const isChosen = chosen.includes(value)
          if (isFull && !isChosen) return null
          return (
            <li key={value} className="rounded-md px-1.5 py-1 hover:bg-hover">
              <CheckField label={name} state={isChosen} onToggle={(isOn) => turn(value, isOn)} />
            </li>
          )
        })}
      </ul>
      <p className="px-1.5 pt-1 text-xs text-ink-faint empty:hidden">
        {isLoading && 'Searching …'}
        {!isLoading && found.length === 0 && 'No matches.'}
        {isFull && `At most ${most}. Remove one to choose another.`}
        {found.length > SHOWN_MAX && 'More results: type part of the name.'}
      </p>
    </>
  )
}
