import type { Placement } from '@placard/decision-engine'
import type { Clock } from '../../../platform/clock.ts'
import { mapMaybe, type MaybePromise, type Served, speaksFor } from '../../decisions/index.ts'
import { wholeUrl } from '../shared/addresses.ts'
import type { DoorCaller, OpenDoor } from '../shared/door.ts'
import type { MacroValues } from '../shared/macros.ts'
import { vastDocument } from './document.ts'
import { judgeFilm, type Player } from './player.ts'
import type { PlayerQuestion } from './question.ts'
import { filmAdOf, type ShowingTerms } from './showing.ts'
import type { VastVersion } from './version.ts'

export interface VastDeps {
  readonly door: OpenDoor
  readonly clock: Clock
}

/** A player at a placement. */
export interface PlayerCall {
  readonly caller: DoorCaller
  readonly placement: Placement
  readonly question: PlayerQuestion
}

export interface PlayerAnswer {
  readonly xml: string
  /** Keeps the record. Call it after the answer is sent. */
  keep(): void
}

/** Where a player tells that it got nothing, if it asked for that. */
export const EMPTY_ERROR_PATH = '/vast/empty/error'

/** Nothing if the door is closed, or if the reader refuses that ads are chosen. */
export function answerPlayer(deps: VastDeps, call: PlayerCall): MaybePromise<PlayerAnswer> {
  const { door } = deps
  const { caller, placement, question } = call
  if (!door.isOpen()) {
    door.count('off')
    return emptyAnswer(deps, call)
  }
  const { accountKey } = door.content.placements.get(placement.key)!
  const reader = door.readerOf(caller, { publisherKey: accountKey, ...question })
  if (!reader.permissions.maySelect) {
    door.count('empty')
    door.countEmpty('no-consent')
    return emptyAnswer(deps, call)
  }
  const isDry = door.isDry(caller)
  const ask = askOf(door, call, speaksFor(caller.principal, accountKey))
  return mapMaybe(door.ask({ reader, isDry, asks: [ask] }), (served) => ({
    xml: documentOf(deps, { ...call, mayAccompany: !reader.permissions.isChild }, served[0]!),
    keep: () => door.keep(served, isDry),
  }))
}

const emptyAnswer = (deps: VastDeps, call: PlayerCall): PlayerAnswer => ({
  xml: vastDocument([], documentTerms(deps, call)),
  keep: () => {},
})

const documentTerms = ({ door }: VastDeps, { caller, question }: PlayerCall) => ({
  version: question.player.version,
  emptyErrorUrl: question.tellsEmpty
    ? `${door.addressFor(caller)}${EMPTY_ERROR_PATH}?code=[ERRORCODE]`
    : undefined,
})

function askOf(door: OpenDoor, { placement, question }: PlayerCall, mayRaiseFloor: boolean) {
  const { player, filmsMax, floorMicros } = question
  return {
    placement,
    limits: { judgeBanner: (bannerKey: number) => judgeBanner(door, player, bannerKey) },
    floorMicros: mayRaiseFloor ? floorMicros : undefined,
    bannersMax: filmsMax,
    oncePerCampaign: true,
    asked: { said: { player } },
  }
}

function judgeBanner({ content }: OpenDoor, player: Player, bannerKey: number) {
  const banner = content.banners.get(bannerKey)
  return banner === undefined ? 'request-video' : judgeFilm(banner, player)
}

interface AnsweredCall extends PlayerCall {
  readonly mayAccompany: boolean
}

function documentOf(deps: VastDeps, call: AnsweredCall, served: Served): string {
  const { door } = deps
  const { caller, placement, question } = call
  const address = door.addressFor(caller)
  const linkOf = door.isDry(caller) ? undefined : door.linksFor(caller)
  const terms = {
    ...termsOf(deps, caller, question.player),
    mayAccompany: call.mayAccompany,
    macros: macrosOf(call),
  }
  const ads = served.showings.flatMap(({ winner }, position) => {
    const { source, key, bannerKey, campaignKey } = winner
    const isBooked = source === 'booking' || source === 'fallback'
    const showing = {
      decisionId: served.record.decisionId,
      bannerKey,
      campaignKey,
      placementKey: placement.key,
      assignmentKey: isBooked ? key : undefined,
    }
    const links = linkOf && { ...linkOf(served, position), address }
    return filmAdOf(showing, { ...terms, links }) ?? []
  })
  countAnswer(door, served, ads.length > 0)
  return vastDocument(ads, documentTerms(deps, call))
}

function countAnswer(door: OpenDoor, { record }: Served, hasFilm: boolean): void {
  door.count(hasFilm ? 'answered' : 'empty')
  if (!hasFilm) door.countEmpty(record.decision.emptyReason ?? 'no-film')
}

function termsOf({ door, clock }: VastDeps, caller: DoorCaller, player: Player) {
  const address = door.addressFor(caller)
  return {
    content: door.content,
    index: door.index,
    nowMs: clock.now().getTime(),
    expiresSeconds: door.holdTimes.videoMs / 1_000,
    player,
    wholeUrl: (url: string) => wholeUrl(address, url),
  } satisfies Partial<ShowingTerms>
}

/** What the tag of another ad server may want to know. */
function macrosOf({ caller, placement, question }: PlayerCall): MacroValues {
  const said = (name: string) => {
    const value = Object.entries(caller.query ?? {}).find(([key]) => key === name)?.[1]
    return value ?? ''
  }
  return {
    placement: placement.slug,
    pageUrl: question.pageUrl ?? '',
    width: String(question.player.width ?? ''),
    height: String(question.player.height ?? ''),
    gdpr: said('gdpr'),
    gdprConsent: said('gdpr_consent'),
    gpp: said('gpp'),
    usPrivacy: said('us_privacy'),
  }
}

/** A player that accepts all: which film it shows is decided already. */
const ANY_PLAYER: Omit<Player, 'version'> = { mimes: [], maySkip: true, mayWrap: true }

export interface AgainCall {
  readonly caller: DoorCaller
  readonly eventToken: string
  readonly version: VastVersion
}

/** The document of a showing once more. It decides and holds nothing, and its links count the same events. */
export function answerAgain(deps: VastDeps, call: AgainCall): string {
  const { door } = deps
  const { caller, eventToken, version } = call
  const claims = door.showingOf(eventToken)
  if (claims === undefined) return vastDocument([], { version })
  const { winner, decisionId, placementKey } = claims
  const ad = filmAdOf(
    {
      decisionId,
      bannerKey: winner.bannerKey,
      campaignKey: winner.campaignKey,
      placementKey,
      assignmentKey: winner.source === 'assignment' ? winner.key : undefined,
    },
    {
      ...termsOf(deps, caller, { version, ...ANY_PLAYER }),
      mayAccompany: false,
      macros: {},
      links: { ...door.linksOf(caller, claims), address: door.addressFor(caller) },
    },
  )
  return vastDocument(ad === undefined ? [] : [ad], { version })
}
