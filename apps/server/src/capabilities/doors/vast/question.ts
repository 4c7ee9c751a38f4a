import type { VastQuery } from '@placard/contract/vast'
import { isUnfilledMacro } from '../../consent/index.ts'
import { microsOf } from '../shared/amounts.ts'
import type { Player } from './player.ts'
import { DEFAULT_VERSION, versionNamed } from './version.ts'

/** What the query of a player means. */
export interface PlayerQuestion {
  readonly player: Player
  /** How many films may follow one another. */
  readonly filmsMax: number
  /** An answer without an ad says where to tell so. */
  readonly tellsEmpty: boolean
  readonly userId: string | undefined
  readonly contextToken: string | undefined
  readonly pageUrl: string | undefined
  readonly referrer: string | undefined
  readonly language: string | undefined
  readonly floorMicros: number | undefined
}

/** A macro that nobody filled says nothing, and neither does an empty value. */
const saidIn = (query: VastQuery): VastQuery =>
  Object.fromEntries(
    Object.entries(query).filter(([, value]) => value !== '' && !isUnfilledMacro(value)),
  )

export function questionOf(query: VastQuery): PlayerQuestion {
  const said = saidIn(query)
  const { uid, ct, url, ref, lang, floor, max } = said
  return {
    player: playerOf(said),
    filmsMax: Number(max ?? 1),
    tellsEmpty: said.err === '1',
    userId: uid,
    contextToken: ct,
    pageUrl: url,
    referrer: ref,
    language: lang,
    floorMicros: floor === undefined ? undefined : microsOf(Number(floor)),
  }
}

function playerOf({ v, w, h, mimes, mindur, maxdur, durs, skip, wrap }: VastQuery): Player {
  return {
    version: versionOf(v),
    mimes: mimes?.split(',') ?? [],
    minDurationMs: millis(mindur),
    maxDurationMs: millis(maxdur),
    durationsMs: durs?.split(',').map((seconds) => Number(seconds) * 1_000),
    width: w === undefined ? undefined : Number(w),
    height: h === undefined ? undefined : Number(h),
    maySkip: skip !== '0',
    mayWrap: wrap !== '0',
  }
}

export const versionOf = (name: string | undefined) =>
  (name === undefined ? undefined : versionNamed(name)) ?? DEFAULT_VERSION

const millis = (seconds: string | undefined) =>
  seconds === undefined ? undefined : Number(seconds) * 1_000
