import type { LimitReason } from '@placard/decision-engine'
import type { BannerContent } from '../../decisions/index.ts'

export type MediaType = 'banner' | 'video' | 'native'

/**
 * One media type of an impression, read from the request: which banners fit it, and how one of them is
 * told. An impression has one or more of them; the first that takes a banner shows it.
 */
export interface AskedMedia {
  readonly type: MediaType
  /** Formats that this media type can show at all. */
  readonly formats: ReadonlySet<string>
  /** Why this banner does not fit; undefined when it does. Pure, and asked for every candidate. */
  judge(banner: BannerContent): LimitReason | undefined
  present(showing: MediaShowing): BidMedia
  /** Kept with the record, so that an explanation can judge banners as the request did. */
  readonly asked: Readonly<Record<string, unknown>>
}

/** A winner on its way into a bid. */
export interface MediaShowing {
  readonly banner: BannerContent
  /** With the overrides of a booking. */
  readonly landingUrl: string | null
  /** Absent under `test: 1`: nothing is counted, and the click goes straight to the landing page. */
  readonly links: MediaLinks | undefined
  /** Makes an address of ours whole. */
  wholeUrl(url: string): string
  /** Replaces the macros of OpenRTB and of Placard in markup. */
  fillMacros(markup: string): string
}

export interface MediaLinks {
  readonly impressionUrl: string
  readonly clickUrl: string
  readonly eventToken: string
  /** Where links of ours begin. */
  readonly address: string
}

/** The fields of a bid that depend on its media type. */
export interface BidMedia {
  readonly adm: string
  readonly mtype: 1 | 2 | 4
  readonly w?: number | undefined
  readonly h?: number | undefined
  readonly dur?: number | undefined
  /** Of a video only: Prebid takes it for the address of the VAST. */
  readonly nurl?: string | undefined
}
