import type { Imp } from '@placard/contract/openrtb'
import { vastDocument } from '../vast/document.ts'
import type { FilmAd } from '../vast/film-ad.ts'
import { judgeFilm, type Player } from '../vast/player.ts'
import { acceptedOf } from '../vast/version.ts'
import type { BidMedia, MediaShowing, RequestedMedia } from './media.ts'

const FORMATS: ReadonlySet<string> = new Set(['video'])
/** Creative attribute: the film can be skipped. */
const SKIPPABLE = 16

/** `imp.video`. Undefined for a player that reads no version of VAST. */
export function requestedVideo(video: NonNullable<Imp['video']>): RequestedMedia | undefined {
  const player = playerOf(video)
  return (
    player && {
      type: 'video',
      formats: FORMATS,
      judge: (banner) => judgeFilm(banner, player),
      present: (showing) => present(showing, player),
      asked: { type: 'video', player },
    }
  )
}

export function playerOf(video: NonNullable<Imp['video']>): Player | undefined {
  const accepted = acceptedOf(video.protocols ?? [])
  if (accepted === undefined) return undefined
  const { mimes = [], minduration, maxduration, rqddurs, w, h, skip, battr = [] } = video
  return {
    ...accepted,
    mimes,
    minDurationMs: millis(minduration),
    maxDurationMs: millis(maxduration),
    durationsMs: rqddurs?.map((seconds) => seconds * 1_000),
    width: w || undefined,
    height: h || undefined,
    maySkip: skip !== 0 && !battr.includes(SKIPPABLE),
  }
}

const millis = (seconds: number | undefined) =>
  seconds === undefined || seconds === 0 ? undefined : seconds * 1_000

/** Prebid reads `nurl` as the address of the document: the same film again, which bills nothing. */
function present({ links, filmAdFor }: MediaShowing, player: Player): BidMedia {
  const { version } = player
  const ad = filmAdFor(player)
  const [file] = ad?.files ?? []
  return {
    mtype: 2,
    w: player.width ?? file?.width ?? undefined,
    h: player.height ?? file?.height ?? undefined,
    dur: secondsOf(ad),
    adm: vastDocument(ad === undefined ? [] : [ad], { version }),
    nurl: links && `${links.address}/vast/d/${links.eventToken}?v=${version}`,
  }
}

const secondsOf = (ad: FilmAd | undefined) =>
  ad?.film.durationMs === undefined ? undefined : Math.round(ad.film.durationMs / 1_000)
