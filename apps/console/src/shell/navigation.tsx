import { Link } from '@tanstack/react-router'
import {
  BookOpen,
  ChevronsUpDown,
  ExternalLink,
  LogOut,
  Menu as MenuIcon,
  Monitor,
  Moon,
  Store,
  Sun,
  X,
} from 'lucide-react'
import { Dialog } from 'radix-ui'
import { useState } from 'react'
import { useRead } from '../api/hooks.ts'
import { useMay, useMe } from '../api/me.ts'
import { session } from '../api/session.ts'
import type { SignInOptions } from '../api/types.ts'
import icon from '../icon.svg'
import { GROUPS, PAGES } from '../pages.ts'
import { IconButton } from '../ui/button.tsx'
import { cx } from '../ui/cx.ts'
import { sayWord } from '../ui/format/format.ts'
import { Menu } from '../ui/overlays/menu.tsx'
import { FindBox, FindButton } from './find.tsx'
import { chooseTheme, useTheme } from './theme.ts'

export function Brand() {
  return (
    <span className="flex items-center gap-2 text-base font-semibold tracking-tight">
      <img src={icon} alt="" className="size-6" />
      Placard
    </span>
  )
}

export function SideBar() {
  return (
    <div className="hidden w-56 shrink-0 flex-col border-r bg-canvas md:flex">
      <div className="px-4 pt-4 pb-2">
        <Brand />
      </div>
      <FindBox />
      <Pages />
      <Person />
    </div>
  )
}

/** On a narrow screen, a button opens the navigation. */
export function TopBar() {
  const [isOpen, setOpen] = useState(false)
  return (
    <header className="flex h-12 shrink-0 items-center justify-between border-b bg-surface px-3 md:hidden">
      <Brand />
      <span className="ml-auto" />
      <FindButton />
      <Dialog.Root open={isOpen} onOpenChange={setOpen}>
        <Dialog.Trigger asChild>
          <IconButton label="Open navigation" icon={MenuIcon} />
        </Dialog.Trigger>
        <Dialog.Portal>
          <Dialog.Overlay className="fixed inset-0 z-40 bg-[#0b0c10]/40" />
          <Dialog.Content
            aria-describedby={undefined}
            className="fixed inset-y-0 left-0 z-50 flex w-72 flex-col bg-canvas shadow-float"
          >
            <div className="flex items-center justify-between px-4 pt-3 pb-1">
              <Dialog.Title asChild>
                <div>
                  <Brand />
                </div>
              </Dialog.Title>
              <Dialog.Close asChild>
                <IconButton label="Close navigation" icon={X} />
              </Dialog.Close>
            </div>
            <Pages onChoose={() => setOpen(false)} />
            <Person />
          </Dialog.Content>
        </Dialog.Portal>
      </Dialog.Root>
    </header>
  )
}

function Pages({ onChoose }: { readonly onChoose?: () => void }) {
  const may = useMay()
  const open = PAGES.filter(({ nav, needs = [] }) => nav && (needs.length === 0 || needs.some(may)))
  return (
    <nav aria-label="Pages" className="flex flex-1 flex-col gap-4 overflow-y-auto px-2 py-3">
      {GROUPS.map((group) => {
        const pages = open.filter(({ nav }) => nav?.group === group)
        if (pages.length === 0) return null
        return (
          <div key={group}>
            {group !== 'Overview' && (
              <h2 className="mb-1 px-2 text-xs font-medium text-ink-faint">{group}</h2>
            )}
            <ul className="flex flex-col gap-0.5">
              {pages.map(({ path, nav }) => (
                <li key={path}>
                  <PageLink path={path} label={nav!.label} icon={nav!.icon} onChoose={onChoose} />
                </li>
              ))}
            </ul>
          </div>
        )
      })}
      <DemoShop />
    </nav>
  )
}

/** In the demo, a link to the shop that shows the ads. */
function DemoShop() {
  const { data } = useRead<SignInOptions>('/auth/options')
  if (!data?.demo) return null
  return (
    <a href="/demo" target="_blank" rel="noreferrer" className={cx(ENTRY, 'mt-auto')}>
      <Store className="size-4 text-ink-faint" aria-hidden />
      Demo shop
      <ExternalLink className="ml-auto size-3.5 text-ink-faint" aria-label="opens in a new tab" />
    </a>
  )
}

const ENTRY =
  'flex h-8 shrink-0 items-center gap-2.5 rounded-md px-2 text-ink-soft hover:bg-sunken hover:text-ink'

interface PageLinkProps {
  readonly path: string
  readonly label: string
  readonly icon: typeof Sun
  readonly onChoose: (() => void) | undefined
}

function PageLink({ path, label, icon: Icon, onChoose }: PageLinkProps) {
  return (
    <Link
      to={path}
      {...(onChoose && { onClick: onChoose })}
      activeOptions={{ exact: path === '/', includeSearch: false }}
      className={cx(
        ENTRY,
        'group data-[status=active]:bg-sunken data-[status=active]:font-medium data-[status=active]:text-ink',
      )}
    >
      <Icon className="size-4 text-ink-faint group-data-[status=active]:text-accent" aria-hidden />
      {label}
    </Link>
  )
}

const THEMES = [
  { label: 'Light', theme: 'light', icon: Sun },
  { label: 'Dark', theme: 'dark', icon: Moon },
  { label: 'System', theme: 'system', icon: Monitor },
] as const

/** The signed-in user, the theme, and sign-out. */
function Person() {
  const { name, user } = useMe()
  const { theme } = useTheme()
  const themes = THEMES.filter((one) => one.theme !== theme).map(({ label, theme, icon }) => ({
    label: `Theme: ${label.toLowerCase()}`,
    icon,
    onSelect: () => chooseTheme(theme),
  }))
  return (
    <div className="border-t p-2">
      <Menu
        side="top"
        items={[
          ...themes,
          { label: 'API reference', icon: BookOpen, onSelect: () => location.assign('/docs') },
          { label: 'Sign out', icon: LogOut, onSelect: () => void session.signOut() },
        ]}
        heading={<span className="text-xs text-ink-faint">{user?.email}</span>}
      >
        <button
          type="button"
          className="flex w-full items-center gap-2.5 rounded-md px-2 py-1.5 text-left hover:bg-sunken"
        >
          <span className="grid size-7 shrink-0 place-items-center rounded-full bg-accent-soft text-xs font-semibold text-accent-ink">
            {name
              .split(' ')
              .map((word) => word[0])
              .slice(0, 2)
              .join('')}
          </span>
          <span className="min-w-0 flex-1">
            <span className="block truncate font-medium">{name}</span>
            <span className="block truncate text-xs text-ink-faint">
              {user && `${sayWord(user.role)} · ${user.accountName}`}
            </span>
          </span>
          <ChevronsUpDown className="size-3.5 text-ink-faint" aria-hidden />
        </button>
      </Menu>
    </div>
  )
}
