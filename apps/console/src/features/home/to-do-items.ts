import type { Alert, Approval, Proposal, Site } from '../../api/types.ts'

/** One line of the to-do list. The rules below are pure: rows of the API in, lines out. */
export interface ToDoItem {
  readonly key: string
  readonly kind: ToDoKind
  readonly isUrgent: boolean
  readonly title: string
  readonly text: string
  readonly to: string
}

export type ToDoKind =
  | Alert['kind']
  | 'approvals'
  | 'proposals'
  | 'domain'
  | 'reviews'
  | 'sessions'
  | 'failed-jobs'
  | 'set-aside'

interface Found<Row> {
  readonly items: readonly Row[]
  readonly nextCursor?: string | undefined
}

const ALERT_TITLES: Readonly<Record<Alert['kind'], string>> = {
  'under-delivery': 'is under-delivering',
  'exhausted-early': 'used up today’s budget early',
  'ctr-collapse': 'has a sharp drop in CTR',
  'sync-failing': 'is not syncing',
}

/** Open alerts, each with the name of its campaign. */
export const alertItems = (alerts: readonly Alert[]): ToDoItem[] =>
  alerts
    .filter(({ closedAt }) => closedAt === null)
    .map(({ id, kind, reason, campaignId, campaignName }) => ({
      key: id,
      kind,
      isUrgent: true,
      title: `${campaignName ?? 'A channel'} ${ALERT_TITLES[kind]}`,
      text: reason,
      to: campaignId ? `/campaigns/${campaignId}` : '/operations?tab=syncs',
    }))

export const approvalItems = (found: Found<Approval>, canDecide: boolean): ToDoItem[] =>
  summaryOf(found, {
    kind: 'approvals',
    title: (count, isOne) => `${count} ${isOne ? 'banner waits' : 'banners wait'} for approval`,
    text: canDecide
      ? 'Sites do not serve them until you decide.'
      : 'They are not served until the sites approve them.',
    to: '/approvals',
  })

export const proposalItems = (found: Found<Proposal>, canDecide: boolean): ToDoItem[] =>
  summaryOf(found, {
    kind: 'proposals',
    title: (count, isOne) => `${count} proposed ${isOne ? 'change' : 'changes'}`,
    text: canDecide
      ? 'Accept or decline the changes of price and priority that buyers propose.'
      : 'Ad operations will accept or decline them.',
    to: '/proposals',
  })

/** One line per site, because each needs a line in its own DNS. */
export const domainItems = (sites: readonly Pick<Site, 'id' | 'name' | 'domain'>[]): ToDoItem[] =>
  sites.map(({ id, name, domain }) => ({
    key: id,
    kind: 'domain',
    isUrgent: false,
    title: `${name} shows no ads yet`,
    text: `Prove that ${domain} is yours.`,
    to: `/sites/${id}`,
  }))

export const reviewItems = (found: Found<unknown>): ToDoItem[] =>
  summaryOf(found, {
    kind: 'reviews',
    title: (count, isOne) => `${count} ${isOne ? 'user' : 'users'} to review`,
    text: 'They connect from a country other than the one they declared.',
    to: '/trust',
  })

export const sessionItems = (found: Found<unknown>): ToDoItem[] =>
  summaryOf(found, {
    kind: 'sessions',
    isUrgent: true,
    title: (count, isOne) => `${count} suspicious ${isOne ? 'session' : 'sessions'}`,
    text: 'They stay signed in until you block or dismiss them.',
    to: '/trust?tab=sessions&state=awaiting_review',
  })

export const failedJobItems = (found: Found<{ readonly reason: string }>): ToDoItem[] =>
  summaryOf(found, {
    kind: 'failed-jobs',
    isUrgent: true,
    title: (count, isOne) => `${count} failed ${isOne ? 'job' : 'jobs'}`,
    text: found.items[0]?.reason ?? '',
    to: '/operations?tab=dead',
  })

export const setAsideItems = (found: Found<{ readonly reason: string }>): ToDoItem[] =>
  summaryOf(found, {
    kind: 'set-aside',
    isUrgent: true,
    title: (count, isOne) => `${count} ${isOne ? 'entry is' : 'entries are'} set aside`,
    text: found.items[0]?.reason ?? '',
    to: '/operations?tab=aside',
  })

interface Summary {
  readonly kind: ToDoKind
  readonly isUrgent?: boolean
  readonly title: (count: string, isOne: boolean) => string
  readonly text: string
  readonly to: string
}

/** One line for all rows. A page with more behind it says "More than". */
function summaryOf({ items, nextCursor }: Found<unknown>, summary: Summary): ToDoItem[] {
  if (items.length === 0) return []
  const { kind, isUrgent = false, title, text, to } = summary
  const count = nextCursor ? `More than ${items.length}` : String(items.length)
  return [{ key: kind, kind, isUrgent, title: title(count, items.length === 1), text, to }]
}
