import { Link } from '@tanstack/react-router'
import {
  BadgeCheck,
  ChevronRight,
  CircleCheck,
  FilePen,
  FileWarning,
  Globe,
  type LucideIcon,
  RefreshCwOff,
  ShieldAlert,
  Skull,
  TrendingDown,
} from 'lucide-react'
import { useRead } from '../../api/hooks.ts'
import { useMay } from '../../api/me.ts'
import type { Alert, Approval, PageOf, Proposal, Site } from '../../api/types.ts'
import { Card } from '../../ui/layout/card.tsx'
import { cx } from '../../ui/cx.ts'
import { EmptyState, Waiting } from '../../ui/layout/states.tsx'
import {
  alertItems,
  approvalItems,
  domainItems,
  failedJobItems,
  proposalItems,
  reviewItems,
  sessionItems,
  setAsideItems,
  type ToDoItem,
  type ToDoKind,
} from './to-do-items.ts'

const EVERY_SECONDS = 30
const SHOWN = 50

/** What waits for the reader, each line with a link to the page where they do it. */
export function ToDo() {
  const may = useMay()
  const found = [
    useItems<Alert>({
      path: '/ads-manager/alerts',
      needs: 'channels:read',
      query: { limit: SHOWN },
      toItems: ({ items }) => alertItems(items),
    }),
    useItems<Approval>({
      path: '/admin/creative-approvals',
      needs: 'approvals:read',
      query: { status: 'pending', limit: SHOWN },
      toItems: (page) => approvalItems(page, may('approvals:write')),
    }),
    useItems<Proposal>({
      path: '/admin/proposals',
      needs: 'proposals:read',
      query: { status: 'pending', limit: SHOWN },
      toItems: (page) => proposalItems(page, may('proposals:write')),
    }),
    useItems<Site>({
      path: '/admin/sites',
      needs: 'sites:write',
      query: { domainState: 'unproven', isActive: true, limit: SHOWN },
      toItems: ({ items }) => domainItems(items),
    }),
    useItems<unknown>({
      path: '/internal/review-candidates',
      needs: 'geo:read',
      query: { limit: SHOWN },
      toItems: reviewItems,
    }),
    useItems<unknown>({
      path: '/internal/block-actions',
      needs: 'geo:read',
      query: { state: 'awaiting_review', limit: SHOWN },
      toItems: sessionItems,
    }),
    useItems<{ reason: string }>({
      path: '/admin/operations/dead-letters',
      needs: 'operations:read',
      query: { limit: SHOWN },
      toItems: failedJobItems,
    }),
    useItems<{ reason: string }>({
      path: '/admin/operations/set-aside-rows',
      needs: 'operations:read',
      toItems: setAsideItems,
    }),
  ]
  const items = found.flatMap((some) => some ?? [])
  const isWaiting = items.length === 0 && found.includes(undefined)
  return (
    <Card title="To do" isFlush className="flex max-h-[21.5rem] flex-col [&>div]:overflow-y-auto">
      {isWaiting && <Waiting />}
      {items.length === 0 && !isWaiting && (
        <EmptyState
          icon={CircleCheck}
          title="All done"
          text="Alerts and decisions for you appear here."
        />
      )}
      {items.length > 0 && (
        <ul>
          {items.map((item) => (
            <ToDoRow key={item.key} item={item} />
          ))}
        </ul>
      )}
    </Card>
  )
}

const ICONS: Readonly<Record<ToDoKind, LucideIcon>> = {
  'under-delivery': TrendingDown,
  'exhausted-early': TrendingDown,
  'ctr-collapse': TrendingDown,
  'sync-failing': RefreshCwOff,
  approvals: BadgeCheck,
  proposals: FilePen,
  domain: Globe,
  reviews: ShieldAlert,
  sessions: ShieldAlert,
  'failed-jobs': Skull,
  'set-aside': FileWarning,
}

function ToDoRow({ item }: { readonly item: ToDoItem }) {
  const { kind, isUrgent, title, text, to } = item
  const Icon = ICONS[kind]
  return (
    <li className="not-last:border-b">
      <Link
        to={to}
        className="group flex items-center gap-3 px-4 py-2.5 hover:bg-hover focus-visible:-outline-offset-2"
      >
        <span
          className={cx(
            'grid size-7 shrink-0 place-items-center rounded-md',
            isUrgent ? 'bg-bad-soft text-bad' : 'bg-warn-soft text-warn',
          )}
        >
          <Icon className="size-3.5" aria-hidden />
        </span>
        <span className="min-w-0 flex-1">
          <span className="block truncate font-medium">{title}</span>
          <span className="line-clamp-2 text-xs text-ink-faint">{text}</span>
        </span>
        <ChevronRight className="size-4 shrink-0 text-ink-faint" aria-hidden />
      </Link>
    </li>
  )
}

interface Source<Row> {
  readonly path: string
  /** Permission of the reader. Without it, the source has no items. */
  readonly needs: string
  readonly query?: Readonly<Record<string, string | boolean | number>>
  readonly toItems: (page: PageOf<Row>) => ToDoItem[]
}

/** The items of one source. Undefined while it loads. */
function useItems<Row>({ path, needs, query, toItems }: Source<Row>): ToDoItem[] | undefined {
  const may = useMay()
  const page = useRead<PageOf<Row> & { next_cursor?: string }>(path, {
    query: query ?? {},
    everySeconds: EVERY_SECONDS,
    when: may(needs),
  })
  if (page.isLoading) return undefined
  if (!page.data) return []
  const { nextCursor = page.data.next_cursor, ...rest } = page.data
  return toItems({ ...rest, ...(nextCursor && { nextCursor }) })
}
