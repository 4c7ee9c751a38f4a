import { DropdownMenu } from 'radix-ui'
import type { LucideIcon } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { cx } from '../cx.ts'

export interface MenuItem {
  readonly label: string
  readonly icon?: LucideIcon
  readonly isDangerous?: boolean
  /** Called after the menu has closed, so that a dialog it opens keeps the focus. */
  readonly onSelect: () => void
}

interface MenuProps {
  /** The button that opens the menu. */
  readonly children: ReactNode
  readonly items: readonly MenuItem[]
  readonly heading?: ReactNode
  readonly side?: 'top' | 'bottom'
}

export function Menu({ children, items, heading, side = 'bottom' }: MenuProps) {
  const selected = useRef<MenuItem>(undefined)
  const follow = () => {
    selected.current?.onSelect()
    selected.current = undefined
  }
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>{children}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          side={side}
          align="end"
          sideOffset={6}
          collisionPadding={8}
          onCloseAutoFocus={follow}
          className="z-50 min-w-44 rounded-lg bg-surface p-1 shadow-float appear"
        >
          {heading && <div className="border-b px-2.5 pt-1.5 pb-2 mb-1">{heading}</div>}
          {items.map((item) => (
            <Item key={item.label} item={item} onSelect={() => (selected.current = item)} />
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}

interface ItemProps {
  readonly item: MenuItem
  readonly onSelect: () => void
}

function Item({ item: { label, icon: Icon, isDangerous }, onSelect }: ItemProps) {
  return (
    <DropdownMenu.Item
      onSelect={onSelect}
      className={cx(
        'flex h-8 cursor-pointer items-center gap-2 rounded-md px-2.5 outline-none data-highlighted:bg-hover',
        isDangerous && 'text-bad',
      )}
    >
      {Icon && <Icon className="size-3.5 text-ink-faint" aria-hidden />}
      {label}
    </DropdownMenu.Item>
  )
}
