import type { LimitReason } from '@placard/decision-engine'
import type { BannerContent } from '../../decisions/index.ts'
import type { MacroValues } from '../shared/macros.ts'
import type { FilmAd } from '../vast/film-ad.ts'
import type { Player } from '../vast/player.ts'

export type MediaType = 'banner' | 'video' | 'native'

/**
 * One media type of an impression: which banners fit it, and how its bid shows one. An impression
 * has one or more media types. The first one that fits a banner shows it.
 */
export interface RequestedMedia {
  readonly type: MediaType
  /** The formats this media type can show. */
  readonly formats: ReadonlySet<string>
  /** Sizes that fit, where the engine can judge them by itself. */
  readonly sizes?: ReadonlySet<string> | undefined
  /** Why this banner does not fit. Undefined if it fits. Pure: runs once per candidate. */
  judge(banner: BannerContent): LimitReason | undefined
  present(showing: MediaShowing): BidMedia
  /** Stored with the record, so that an explanation judges banners as the request did. */
  readonly asked: Readonly<Record<string, unknown>>
}

/** A winner that becomes a bid. */
export interface MediaShowing {
  readonly banner: BannerContent
  /** Its name, as people read it. */
  readonly advertiser: string | undefined
  /** Includes the overrides of the assignment. */
  readonly landingUrl: string | null
  /**
   * Absent under `test: 1`: nothing is counted, and the click goes straight to the landing page.
   */
  readonly links: MediaLinks | undefined
  /** The banner's film, with everything that a VAST document says of it. */
  filmAdFor(player: Player): FilmAd | undefined
  /** Adds scheme and host to one of our paths. */
  wholeUrl(url: string): string
  /** Replaces the macros of OpenRTB and of Placard in markup. `more`: what the media type knows. */
  fillMacros(markup: string, more?: MacroValues): string
}

export interface MediaLinks {
  readonly impressionUrl: string
  readonly clickUrl: string
  readonly eventToken: string
  /** Scheme and host of our tracking links. */
  readonly address: string
}

/** The fields of a bid that depend on its media type. */
export interface BidMedia {
  readonly adm: string
  readonly mtype: 1 | 2 | 4
  readonly w?: number | undefined
  readonly h?: number | undefined
  readonly dur?: number | undefined
  /** Only for video: Prebid reads it as the address of the VAST document. */
  readonly nurl?: string | undefined
}
