import type { Micros } from '@placard/money'

/**
 * | from             | to                                                                  |
 * | ---------------- | ------------------------------------------------------------------- |
 * | draft            | scheduled (starts in the future), active, cancelled                  |
 * | scheduled        | active, draft, cancelled; ended, but only by its own schedule        |
 * | active           | paused, ended, cancelled                                             |
 * | paused           | active, scheduled (starts in the future), ended, cancelled           |
 * | ended, cancelled | nothing                                                              |
 */
const TRANSITIONS: Readonly<Record<CampaignState, readonly CampaignState[]>> = {
  draft: ['scheduled', 'active', 'cancelled'],
  scheduled: ['active', 'draft', 'cancelled', 'ended'],
  active: ['paused', 'ended', 'cancelled'],
  paused: ['active', 'scheduled', 'ended', 'cancelled'],
  ended: [],
  cancelled: [],
}

export type CampaignState = 'draft' | 'scheduled' | 'active' | 'paused' | 'ended' | 'cancelled'
export type Source = 'internal' | 'sponsored' | 'affiliate' | 'system'

/** House campaigns are free of charge. */
export const isOfHouse = ({ source }: { readonly source: string }): boolean =>
  source === 'internal' || source === 'system'

/** The moves people may make, and the state each leads to. */
export const ACTIONS = {
  schedule: 'scheduled',
  unschedule: 'draft',
  activate: 'active',
  pause: 'paused',
  end: 'ended',
  cancel: 'cancelled',
} as const satisfies Record<string, CampaignState>

export type CampaignAction = keyof typeof ACTIONS

/** When a campaign runs. Null leaves that side open. */
export interface Flight {
  readonly startsAt: Date | null
  readonly endsAt: Date | null
}

export interface FlyingCampaign extends Flight {
  readonly status: CampaignState
}

export interface Move {
  readonly to: CampaignState
  readonly now: Date
  /** A person asks for the move, or the flight's own dates do. */
  readonly by: 'person' | 'schedule'
}

export type MoveVerdict = 'allowed' | 'not-from-here' | 'needs-future-start' | 'already-over'

export function judgeMove(campaign: FlyingCampaign, { to, now, by }: Move): MoveVerdict {
  const { status, startsAt, endsAt } = campaign
  if (!TRANSITIONS[status].includes(to)) return 'not-from-here'
  if (status === 'scheduled' && to === 'ended' && by === 'person') return 'not-from-here'
  if (to === 'scheduled' && !(startsAt && startsAt > now)) return 'needs-future-start'
  if (to === 'active' && endsAt && endsAt <= now) return 'already-over'
  return 'allowed'
}

/** The fields an allowed move writes: a campaign without a start date starts now. */
export function moved({ startsAt }: Flight, { to, now }: Move): Partial<FlyingCampaign> {
  return to === 'active' && !startsAt ? { status: to, startsAt: now } : { status: to }
}

/** The state that its dates or its used-up limits lead to. Undefined if it stays. */
export function dueState(
  { status, startsAt, endsAt, isCappedOut }: FlyingCampaign & { readonly isCappedOut?: boolean },
  now: Date,
): CampaignState | undefined {
  const isOpen = status === 'scheduled' || status === 'active' || status === 'paused'
  if (isOpen && endsAt && endsAt <= now) return 'ended'
  if (isCappedOut && (status === 'active' || status === 'paused')) return 'ended'
  if (status === 'scheduled' && startsAt && startsAt <= now) return 'active'
  return undefined
}

/** A campaign that runs or may run again cannot be deleted. */
export const mayDelete = ({ status }: Pick<FlyingCampaign, 'status'>): boolean =>
  status === 'draft' || status === 'ended' || status === 'cancelled'

export type FlightVerdict = 'in-order' | 'ends-before-it-starts' | 'scheduled-without-start'

export function judgeFlight({ status, startsAt, endsAt }: FlyingCampaign): FlightVerdict {
  if (startsAt && endsAt && startsAt >= endsAt) return 'ends-before-it-starts'
  return status === 'scheduled' && !startsAt ? 'scheduled-without-start' : 'in-order'
}

/** The highest bid of a campaign's ads. 0 means that no maximum is set. */
export interface BidLimit {
  readonly maxBidMicros: Micros
  readonly mayExceedMaxBid: boolean
}

export type BidVerdict = 'within' | 'above-maximum'

export function judgeBid(bid: Micros, { maxBidMicros, mayExceedMaxBid }: BidLimit): BidVerdict {
  const isBound = maxBidMicros > 0n && !mayExceedMaxBid
  return isBound && bid > maxBidMicros ? 'above-maximum' : 'within'
}

/**
 * Without a maximum bid, a campaign never spends an advertiser's money. House campaigns need none,
 * and campaigns on other channels bid there.
 */
export function needsMaxBid(
  campaign: BidLimit & {
    readonly status: CampaignState
    readonly source: Source
    readonly channel: 'onsite' | 'meta'
  },
): boolean {
  const isOpen = campaign.status === 'scheduled' || campaign.status === 'active'
  const bidsHere = campaign.channel === 'onsite' && campaign.source !== 'internal'
  return isOpen && bidsHere && campaign.maxBidMicros === 0n
}

/** An advertiser with a campaign in one of these states cannot be deleted. */
export const LIVE_STATES = [
  'draft',
  'scheduled',
  'active',
  'paused',
] as const satisfies readonly CampaignState[]

export interface ConnectionFacts {
  readonly advertiserId: bigint
  readonly connectionType: string
  readonly provider: string
}

/**
 * Only our own events describe campaigns that run here. Every other provider reports another
 * channel.
 */
export const fitsConnection = (
  campaign: { readonly advertiserId: bigint; readonly channel: 'onsite' | 'meta' },
  connection: ConnectionFacts,
): boolean =>
  connection.advertiserId === campaign.advertiserId &&
  connection.connectionType === 'AD_ACCOUNT' &&
  (connection.provider === 'onsite') === (campaign.channel === 'onsite')
