import type { Found } from '@placard/contract/search'
import { useNavigate } from '@tanstack/react-router'
import { Command } from 'cmdk'
import {
  Building2,
  Globe,
  Image,
  LayoutTemplate,
  type LucideIcon,
  Megaphone,
  Newspaper,
  Plus,
  Search,
  Store,
  UserRound,
} from 'lucide-react'
import { Dialog } from 'radix-ui'
import { useDeferredValue, useState } from 'react'
import type { Static } from 'typebox'
import { useRead } from '../api/hooks.ts'
import { useMay } from '../api/me.ts'
import { PAGES } from '../pages.ts'

type Thing = Static<typeof Found>['items'][number]

const KINDS: Readonly<
  Record<Thing['kind'], { word: string; icon: LucideIcon; to: (thing: Thing) => string }>
> = {
  campaign: { word: 'Campaign', icon: Megaphone, to: ({ id }) => `/campaigns/${id}` },
  advertiser: {
    word: 'Advertiser',
    icon: Store,
    to: ({ id }) => `/campaigns?advertiserId=${id}`,
  },
  banner: { word: 'Banner', icon: Image, to: ({ id }) => `/creatives/${id}` },
  placement: { word: 'Placement', icon: LayoutTemplate, to: ({ id }) => `/placements/${id}` },
  site: { word: 'Site', icon: Globe, to: ({ id }) => `/sites/${id}` },
  publisher: { word: 'Publisher', icon: Newspaper, to: () => '/placements?part=publishers' },
  account: { word: 'Account', icon: Building2, to: () => '/account?tab=accounts' },
  user: {
    word: 'Person',
    icon: UserRound,
    to: ({ note }) => `/account?tab=users&search=${encodeURIComponent(note)}`,
  },
}

const ACTIONS = [
  { label: 'New campaign', needs: 'campaigns:write', to: '/campaigns/new' },
  { label: 'New banner', needs: 'banners:write', to: '/creatives/new' },
  { label: 'Build a report', needs: 'reports:read', to: '/reports' },
  { label: 'Ask why an ad was not shown', needs: 'decisions:read', to: '/why' },
] as const

interface Entry {
  readonly key: string
  readonly label: string
  readonly note: string
  readonly icon: LucideIcon
  readonly to: string
}

/** Finds any page, action or thing by typing. The server searches for things. */
export function Palette({ onClose }: { readonly onClose: () => void }) {
  const [text, setText] = useState('')
  const search = useDeferredValue(text.trim())
  const navigate = useNavigate()
  const known = useKnown(search)
  const found = useRead<Static<typeof Found>>('/admin/search', {
    query: { search },
    when: search.length > 1,
  })
  const [pointed, setPointed] = useState('')
  const things = search.length > 1 ? (found.data?.items ?? []).map(entryOf) : []
  const entries = [...things, ...known]
  // Whatever arrives, one entry is always marked, so that Enter opens it.
  const marked = entries.find(({ key }) => key === pointed) ?? entries[0]
  const go = (to: string) => {
    onClose()
    const { pathname, searchParams } = new URL(to, location.origin)
    void navigate({ to: pathname, search: Object.fromEntries(searchParams) })
  }
  return (
    <Dialog.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 bg-[#0b0c10]/40 appear" />
        <Dialog.Content
          aria-describedby={undefined}
          className="fixed top-[12dvh] left-1/2 z-50 w-[calc(100vw-2rem)] max-w-xl -translate-x-1/2 rounded-xl bg-surface shadow-float"
        >
          <Dialog.Title className="sr-only">Find anything</Dialog.Title>
          <Command
            shouldFilter={false}
            label="Find anything"
            loop
            value={marked?.key ?? ''}
            onValueChange={setPointed}
          >
            <div className="flex items-center gap-2.5 border-b px-4">
              <Search className="size-4 shrink-0 text-ink-faint" aria-hidden />
              <Command.Input
                value={text}
                onValueChange={setText}
                placeholder="Campaign, advertiser, placement, person, page …"
                className="h-12 w-full bg-transparent outline-none placeholder:text-ink-faint"
              />
            </div>
            <Command.List className="max-h-[60dvh] overflow-y-auto p-1.5">
              {entries.map((entry) => (
                <Line key={entry.key} entry={entry} onPick={() => go(entry.to)} />
              ))}
            </Command.List>
            <p role="status" className="px-4 pb-3 text-xs text-ink-faint empty:hidden">
              {sayState(search, {
                isSearching: found.isFetching,
                hasFailed: Boolean(found.error),
                count: entries.length,
              })}
            </p>
          </Command>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

interface SearchState {
  readonly isSearching: boolean
  readonly hasFailed: boolean
  readonly count: number
}

function sayState(search: string, { isSearching, hasFailed, count }: SearchState): string {
  if (search.length < 2) return 'Type at least two letters, or an id.'
  if (isSearching) return 'Searching …'
  if (hasFailed) return 'The search failed. Type again to repeat it.'
  return count === 0 ? 'Nothing found. The search matches the beginnings of words.' : ''
}

const entryOf = (thing: Thing): Entry => {
  const { word, icon, to } = KINDS[thing.kind]
  const note = thing.note === '' ? word : `${word} · ${thing.note}`
  return { key: thing.id, label: thing.name, note, icon, to: to(thing) }
}

/** Pages and actions that the user may open and that match. */
function useKnown(search: string): readonly Entry[] {
  const may = useMay()
  const pages = PAGES.flatMap(({ path, nav, needs = [] }): Entry[] =>
    nav && (needs.length === 0 || needs.some(may))
      ? [{ key: path, label: nav.label, note: 'Page', icon: nav.icon, to: path }]
      : [],
  )
  const actions = ACTIONS.filter(({ needs }) => may(needs)).map(({ label, to }): Entry => ({
    key: label,
    label,
    note: 'Action',
    icon: Plus,
    to,
  }))
  const wanted = search.toLowerCase()
  return [...actions, ...pages].filter(({ label }) => label.toLowerCase().includes(wanted))
}

function Line({ entry, onPick }: { readonly entry: Entry; readonly onPick: () => void }) {
  const { key, label, note, icon: Icon } = entry
  return (
    <Command.Item
      value={key}
      onSelect={onPick}
      className="flex h-10 cursor-pointer items-center gap-2.5 rounded-md px-2.5 data-[selected=true]:bg-hover"
    >
      <Icon className="size-4 shrink-0 text-ink-faint" aria-hidden />
      <span className="min-w-0 flex-1 truncate font-medium">{label}</span>
      <span className="max-w-[45%] shrink-0 truncate text-xs text-ink-faint">{note}</span>
    </Command.Item>
  )
}
