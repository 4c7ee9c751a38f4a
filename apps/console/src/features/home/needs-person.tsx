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
import type { Alert, Approval, BudgetPacerPage, PageOf, Proposal, Site } from '../../api/types.ts'
import { PAGES } from '../../pages.ts'
import { Card } from '../../ui/layout/card.tsx'
import { cx } from '../../ui/cx.ts'
import { EmptyState, Waiting } from '../../ui/layout/states.tsx'

interface Need {
  readonly key: string
  readonly icon: LucideIcon
  readonly isUrgent: boolean
  readonly title: string
  readonly text: string
  readonly to: string
}

const EVERY_SECONDS = 30
const SHOWN = 50

/** What only a person can settle, each one click from where it is settled. */
export function NeedsPerson() {
  const found = [
    useAlerts(),
    useApprovals(),
    useProposals(),
    useUnprovenDomains(),
    useReviews(),
    useSessions(),
    useDeadLetters(),
    useSetAside(),
  ]
  const needs = found.flatMap((some) => some ?? [])
  const isWaiting = needs.length === 0 && found.includes(undefined)
  return (
    <Card title="To do" isFlush className="flex max-h-[21.5rem] flex-col [&>div]:overflow-y-auto">
      {isWaiting && <Waiting />}
      {needs.length === 0 && !isWaiting && (
        <EmptyState
          icon={CircleCheck}
          title="All done"
          text="Alerts and decisions for you appear here."
        />
      )}
      {needs.length > 0 && (
        <ul>
          {needs.map(({ key, ...need }) => (
            <NeedRow key={key} {...need} />
          ))}
        </ul>
      )}
    </Card>
  )
}

function NeedRow({ icon: Icon, isUrgent, title, text, to }: Omit<Need, 'key'>) {
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

const ALERTS: Readonly<
  Record<Alert['kind'], { readonly title: string; readonly icon: LucideIcon }>
> = {
  'under-delivery': { title: 'is under-delivering', icon: TrendingDown },
  'exhausted-early': { title: 'used up today’s budget early', icon: TrendingDown },
  'ctr-collapse': { title: 'has a sharp drop in CTR', icon: TrendingDown },
  'sync-failing': { title: 'is not syncing', icon: RefreshCwOff },
}

/** Each finds what it looks for; undefined until it knows. */
function useAlerts(): Need[] | undefined {
  const may = useMay()
  const alerts = useRead<PageOf<Alert>>('/ads-manager/alerts', {
    query: { limit: SHOWN },
    everySeconds: EVERY_SECONDS,
    when: may('channels:read'),
  })
  const names = useCampaignNames()
  if (alerts.isLoading) return undefined
  const open = alerts.data?.items.filter(({ closedAt }) => closedAt === null) ?? []
  return open.map(({ id, kind, reason, campaignId }) => ({
    key: id,
    icon: ALERTS[kind].icon,
    title: `${(campaignId && names.get(campaignId)) ?? 'A channel'} ${ALERTS[kind].title}`,
    isUrgent: true,
    text: reason,
    to: campaignId ? `/campaigns/${campaignId}` : pageOr('/operations'),
  }))
}

/** Names as the pace of today knows them, from the same answer. */
function useCampaignNames(): ReadonlyMap<string, string> {
  const may = useMay()
  const page = useRead<BudgetPacerPage>('/admin/budget/pacers', {
    query: { pageSize: 100 },
    when: may('campaigns:read'),
  })
  return new Map(page.data?.items.map(({ campaignId, campaignName }) => [campaignId, campaignName]))
}

function useUnprovenDomains(): Need[] | undefined {
  const may = useMay()
  const sites = useRead<PageOf<Site>>('/admin/sites', {
    query: { domainState: 'unproven', isActive: true, limit: SHOWN },
    everySeconds: EVERY_SECONDS,
    when: may('sites:write'),
  })
  if (sites.isLoading) return undefined
  const unproven = sites.data?.items ?? []
  return unproven.map(({ id, name, domain }) => ({
    key: id,
    icon: Globe,
    isUrgent: false,
    title: `${name} shows no ads yet`,
    text: `Show that ${domain} is yours`,
    to: `/sites/${id}`,
  }))
}

function useApprovals(): Need[] | undefined {
  const may = useMay()
  const pending = useRead<PageOf<Approval>>('/admin/creative-approvals', {
    query: { status: 'pending', limit: SHOWN },
    everySeconds: EVERY_SECONDS,
    when: may('approvals:read'),
  })
  if (pending.isLoading) return undefined
  const waiting = pending.data?.items ?? []
  if (waiting.length === 0) return []
  const decides = may('approvals:write')
  return [
    {
      key: 'approvals',
      icon: BadgeCheck,
      isUrgent: false,
      title: `${countOf(waiting, pending.data)} ${waiting.length === 1 ? 'banner waits' : 'banners wait'} for approval`,
      text: decides
        ? 'They are not served on your sites until you decide.'
        : 'They are not served until the sites approve them.',
      to: pageOr('/approvals'),
    },
  ]
}

function useProposals(): Need[] | undefined {
  const may = useMay()
  const pending = useRead<PageOf<Proposal>>('/admin/proposals', {
    query: { status: 'pending', limit: SHOWN },
    everySeconds: EVERY_SECONDS,
    when: may('proposals:read'),
  })
  if (pending.isLoading) return undefined
  const waiting = pending.data?.items ?? []
  if (waiting.length === 0) return []
  return [
    {
      key: 'proposals',
      icon: FilePen,
      isUrgent: false,
      title: `${countOf(waiting, pending.data)} proposed ${waiting.length === 1 ? 'change' : 'changes'}`,
      text: may('proposals:write')
        ? 'Accept or decline what buyers want of price and precedence.'
        : 'Ad operations decide on them.',
      to: pageOr('/proposals'),
    },
  ]
}

function useReviews(): Need[] | undefined {
  const may = useMay()
  const candidates = useRead<PageOf<unknown>>('/internal/review-candidates', {
    query: { limit: SHOWN },
    everySeconds: EVERY_SECONDS,
    when: may('geo:read'),
  })
  if (candidates.isLoading) return undefined
  const count = candidates.data?.items.length ?? 0
  if (count === 0) return []
  return [
    {
      key: 'reviews',
      icon: ShieldAlert,
      isUrgent: false,
      title: `${countOf(candidates.data!.items, candidates.data)} ${count === 1 ? 'user' : 'users'} to review`,
      text: 'They connect from a country other than the one they declared.',
      to: pageOr('/trust'),
    },
  ]
}

function useSessions(): Need[] | undefined {
  const may = useMay()
  const waiting = useRead<{ items: unknown[]; next_cursor?: string }>('/internal/block-actions', {
    query: { state: 'awaiting_review', limit: SHOWN },
    everySeconds: EVERY_SECONDS,
    when: may('geo:read'),
  })
  if (waiting.isLoading) return undefined
  const count = waiting.data?.items.length ?? 0
  if (count === 0) return []
  return [
    {
      key: 'sessions',
      icon: ShieldAlert,
      isUrgent: true,
      title: `${waiting.data!.next_cursor ? 'More than ' : ''}${count} suspicious ${count === 1 ? 'session' : 'sessions'}`,
      text: 'They stay signed in until you block or dismiss them.',
      to: pageOr('/trust', '?tab=sessions&state=awaiting_review'),
    },
  ]
}

function useDeadLetters(): Need[] | undefined {
  const may = useMay()
  const letters = useRead<PageOf<{ reason: string }>>('/admin/operations/dead-letters', {
    query: { limit: SHOWN },
    everySeconds: EVERY_SECONDS,
    when: may('operations:read'),
  })
  if (letters.isLoading) return undefined
  const count = letters.data?.items.length ?? 0
  if (count === 0) return []
  return [
    {
      key: 'dead-letters',
      icon: Skull,
      isUrgent: true,
      title: `${countOf(letters.data!.items, letters.data)} failed ${count === 1 ? 'job' : 'jobs'}`,
      text: letters.data!.items[0]!.reason,
      to: pageOr('/operations'),
    },
  ]
}

function useSetAside(): Need[] | undefined {
  const may = useMay()
  const rows = useRead<PageOf<{ reason: string }>>('/admin/operations/set-aside-rows', {
    everySeconds: EVERY_SECONDS,
    when: may('operations:read'),
  })
  if (rows.isLoading) return undefined
  const count = rows.data?.items.length ?? 0
  if (count === 0) return []
  return [
    {
      key: 'set-aside',
      icon: FileWarning,
      isUrgent: true,
      title: `${count} ${count === 1 ? 'entry is' : 'entries are'} set aside`,
      text: rows.data!.items[0]!.reason,
      to: pageOr('/operations'),
    },
  ]
}

const countOf = (items: readonly unknown[], page: { nextCursor?: string } | undefined) =>
  page?.nextCursor ? `More than ${items.length}` : String(items.length)

/** Leads home where a page is not there. */
const pageOr = (path: string, query = '') =>
  PAGES.some((page) => page.path === path) ? `${path}${query}` : '/'
