import type { LimitReason } from '@placard/decision-engine'
import type { BannerContent } from '../../decisions/index.ts'
import type { VastVersion } from './version.ts'

type Film = NonNullable<BannerContent['film']>
type File = Film['files'][number]

/** What a player can show, as it says. An empty list or a missing value accepts everything. */
export interface Player {
  readonly version: VastVersion
  /** Content types that it plays. */
  readonly mimes: readonly string[]
  readonly minDurationMs?: number | undefined
  readonly maxDurationMs?: number | undefined
  /** Only these lengths: live television cuts to the second. */
  readonly durationsMs?: readonly number[] | undefined
  readonly width?: number | undefined
  readonly height?: number | undefined
  /** False: it has no button to skip a film. */
  readonly maySkip: boolean
  /** It follows a document to another ad server. */
  readonly mayWrap: boolean
}

/** The tag of another ad server stands in place of files, unless the player cannot follow it. */
export const isWrapped = ({ vastUrl, files }: Film, { mayWrap }: Player): boolean =>
  vastUrl !== undefined && (mayWrap || files.length === 0)

/** Why the player cannot show this banner. Undefined if it can. */
export function judgeFilm(
  { format, film }: Pick<BannerContent, 'format' | 'film'>,
  player: Player,
): LimitReason | undefined {
  if (format !== 'video') return 'request-format'
  if (film === undefined) return 'request-video'
  if (isWrapped(film, player)) return player.mayWrap ? undefined : 'request-video'
  const fits = hasFittingLength(film, player) && fittingFiles(film, player).length > 0
  return fits && (player.maySkip || film.skipAfterMs === undefined) ? undefined : 'request-video'
}

/** A length in whole seconds is met by a film that rounds to it. */
const CUT_MS = 500

function hasFittingLength({ durationMs }: Film, player: Player): boolean {
  if (durationMs === undefined) return false
  const { minDurationMs = 0, maxDurationMs = Infinity, durationsMs = [] } = player
  if (durationsMs.length > 0) {
    return durationsMs.some((length) => Math.abs(durationMs - length) < CUT_MS)
  }
  return durationMs > minDurationMs - CUT_MS && durationMs < maxDurationMs + CUT_MS
}

/** The files that the player can show, as the banner lists them. */
export const fittingFiles = ({ files }: Film, player: Player): readonly File[] =>
  files.filter((file) => isPlayed(file, player) && isFitting(file, player))

const isPlayed = ({ contentType }: File, { mimes }: Player): boolean =>
  mimes.length === 0 || mimes.includes(contentType)

/** 16:9 in pixels is never exact. */
const SHAPE_TOLERANCE = 0.02

/** At most the player's size, or of its shape: players scale. */
function isFitting({ width, height }: File, player: Player): boolean {
  if (!width || !height || !player.width || !player.height) return true
  if (width <= player.width && height <= player.height) return true
  const ratio = width / height / (player.width / player.height)
  return Math.abs(ratio - 1) <= SHAPE_TOLERANCE
}
