import type { BidRequest } from '@placard/contract/openrtb'
import { findPlacement, REASONS } from '@placard/decision-engine'
import { httpProblems } from '../../../platform/http/problems.ts'
import { Problem } from '../../../platform/problem.ts'
import type { ProductsOfCategories } from '../../contextual/index.ts'
import {
  allOf,
  type DoorServed,
  mapMaybe,
  type MaybePromise,
  speaksFor,
} from '../../decisions/index.ts'
import type { DoorCaller, OpenDoor } from '../shared/door.ts'
import type { Allowance } from '../shared/allowance.ts'
import {
  answerOf,
  asksForReasons,
  type Outcome,
  type SentResponse,
  wantsEmptyAnswer,
} from './answer.ts'
import { type Bidding, bidOf } from './bid.ts'
import { faultsOf } from './faults.ts'
import { emptyFor, furthestOf, refusedFor, type Refusal } from './no-bid.ts'
import {
  type Ground,
  isRefused,
  type Question,
  questionsOf,
  type Refused,
  tooMany,
} from './question.ts'
import { readerFieldsOf } from './reader.ts'

export interface AuctionDeps {
  readonly door: OpenDoor
  readonly productsOf: ProductsOfCategories
  /** How much time goes into finding reasons. */
  readonly explaining: Allowance
  isRobot(userAgent: string | undefined): boolean
}

export interface BidCall {
  readonly caller: DoorCaller
  readonly request: BidRequest
}

export interface Auctioned {
  /** Undefined: an answer without content. */
  readonly answer: SentResponse | undefined
  /** Keeps the records. Call it after the answer is sent. */
  keep(): void
}

/** Answers one bid request. Throws a problem that names every fault. */
export function holdAuction(deps: AuctionDeps, call: BidCall): MaybePromise<Auctioned> {
  const startedMs = performance.now()
  const { request } = call
  const faults = faultsOf(request)
  if (faults.length > 0) {
    deps.door.count('refused')
    throw new Problem(httpProblems.invalidRequest, 'The bid request cannot be answered.', faults)
  }
  const refusal = refusalOf(deps, call)
  const questions = questionsOf(request, groundOf(deps, call)).map((one): Question | Refused =>
    refusal === undefined ? one : { imp: one.imp, seat: one.seat, refusal },
  )
  for (let at = tooMany(request); at > 0; at--) deps.door.countEmpty('too-many-impressions')
  const isDry = request.test === 1 || deps.door.isDry(call.caller)
  return mapMaybe(askAll(deps, { ...call, isDry }, questions), (places) => {
    const outcomes = places.map((place) => outcomeOf(deps, { ...call, isDry }, place))
    const answer = answerOf({
      request,
      outcomes,
      currency: places.flatMap(currencyOf)[0],
      tookMs: Math.round(performance.now() - startedMs),
    })
    const hasBid = answer.seatbid.length > 0
    countResult(deps, hasBid, refusal)
    return {
      answer: hasBid || wantsEmptyAnswer(request, call.caller.headers.origin) ? answer : undefined,
      keep: () =>
        deps.door.keep(
          places.flatMap(({ served }) => served ?? []),
          isDry,
        ),
    }
  })
}

function countResult({ door }: AuctionDeps, hasBid: boolean, refusal: Refusal | undefined): void {
  if (hasBid) door.count('answered')
  else door.count(refusal === 'switched-off' ? 'off' : 'empty')
}

/** Milliseconds that an answer needs at least. */
const TIME_MIN_MS = 5

/** Why the whole request gets no bid. */
function refusalOf(
  { door, isRobot }: AuctionDeps,
  { caller, request }: BidCall,
): Refusal | undefined {
  if (!door.isOpen()) return 'switched-off'
  if (request.tmax !== undefined && request.tmax < TIME_MIN_MS) return 'too-late'
  return isRobot(caller.headers['user-agent']) ? 'robot' : undefined
}

const groundOf = ({ door, productsOf }: AuctionDeps, { caller }: BidCall): Ground => ({
  content: door.content,
  findPlacement: (slug) => findPlacement(door.index, slug),
  findPublisher: door.findPublisher,
  productsOf,
  ownsAccount: (accountKey) => speaksFor(caller.principal, accountKey),
  isSecure: door.addressFor(caller).startsWith('https:'),
})

/** An impression with what was decided for it. */
interface Place {
  readonly question: Question | Refused
  readonly served?: DoorServed | undefined
  readonly isChild?: boolean
}

interface Call extends BidCall {
  readonly isDry: boolean
}

/** Decides for the placements of each publisher with that publisher's own reader. */
function askAll(
  deps: AuctionDeps,
  call: Call,
  questions: readonly (Question | Refused)[],
): MaybePromise<readonly Place[]> {
  const open = questions.filter((one): one is Question => !isRefused(one))
  const groups = [...Map.groupBy(open, ({ placement }) => placement.accountKey)]
  const asked = groups.map(([accountKey, own]) => askFor(deps, call, { accountKey, own }))
  return mapMaybe(allOf(asked), (places) => {
    const byImp = new Map(places.flat().map((place) => [place.question.imp, place]))
    return questions.map((question) => byImp.get(question.imp) ?? { question })
  })
}

interface Group {
  readonly accountKey: number
  readonly own: readonly Question[]
}

function askFor(
  { door, explaining }: AuctionDeps,
  { caller, request, isDry }: Call,
  { accountKey, own }: Group,
): MaybePromise<readonly Place[]> {
  const reader = door.readerOf(caller, { publisherKey: accountKey, ...readerFieldsOf(request) })
  if (!reader.permissions.maySelect) {
    return own.map(({ imp, seat }) => ({ question: { imp, seat, refusal: 'consent' } }))
  }
  const asks = own.map(({ ask }) => ask)
  const tellsReasons = asksForReasons(request) && explaining.isLeft()
  const startedMs = performance.now()
  return mapMaybe(door.ask({ reader, isDry, asks, tellsReasons }), (served) => {
    if (tellsReasons) explaining.spend(performance.now() - startedMs)
    const { isChild } = reader.permissions
    return own.map((question, at) => ({ question, served: served[at], isChild }))
  })
}

function outcomeOf(deps: AuctionDeps, call: Call, place: Place): Outcome {
  const { question, served, isChild = false } = place
  const { imp, seat } = question
  const told = { impId: imp.id, seat }
  if (isRefused(question)) {
    const { refusal, message } = question
    deps.door.countEmpty(refusal)
    return { ...told, noBid: refusedFor(refusal), message }
  }
  const { accountKey } = question.placement
  const bid =
    served && bidOf(question, served, biddingOf(deps, { ...call, accountKey, isChild }, served))
  if (bid !== undefined) return { ...told, bid }
  const furthest = furthestOf(served?.reasons, REASONS)
  deps.door.countEmpty(furthest ?? 'nothing')
  return {
    ...told,
    noBid: emptyFor(furthest, {
      hasAdvertisers: (call.request.badv ?? []).length > 0,
      hasDealFloors: question.deals !== undefined,
    }),
  }
}

interface BidderCall extends Call {
  readonly accountKey: number
  readonly isChild: boolean
}

function biddingOf({ door }: AuctionDeps, call: BidderCall, served: DoorServed): Bidding {
  const { caller, request, isDry, accountKey, isChild } = call
  const address = door.addressFor(caller)
  const links =
    isDry || served.showings.length === 0
      ? undefined
      : { ...door.linksFor(caller)(served, 0), address }
  return {
    request,
    content: door.content,
    address,
    links,
    seal: links && door.noticeSealFor(caller, { accountKey, eventToken: links.eventToken }),
    holdTimes: door.holdTimes,
    index: door.index,
    mayAccompany: !isChild,
  }
}

const currencyOf = ({ question }: Place) =>
  isRefused(question) ? [] : [question.placement.currency]
