import type { BannerContent } from '../../decisions/index.ts'
import type { MediaLinks } from '../openrtb/media.ts'

type Film = NonNullable<BannerContent['film']>

/** A film that won, with everything that its VAST document says. */
export interface FilmAd {
  readonly decisionId: string
  /** Names the creative. */
  readonly bannerId: string
  readonly title: string
  readonly description: string | null
  readonly advertiser: string | undefined
  /** The IAB's ad product. */
  readonly category: string | undefined
  readonly film: Film
  /** The files that the player can show, best first. Empty for the tag of another ad server. */
  readonly files: Film['files']
  /** With the macros of our own filled. In place of files. */
  readonly wrappedUrl: string | undefined
  /** Absent in a test: nothing is counted, and the click goes straight to the landing page. */
  readonly links: MediaLinks | undefined
  readonly landingUrl: string | null
  readonly companions: readonly Companion[]
  /** How long the showing is held for the player. */
  readonly expiresSeconds: number
}

/** A picture beside the film. */
export interface Companion {
  readonly bannerId: string
  readonly url: string
  readonly width: number
  readonly height: number
  readonly alt: string | null
}

/** What players call for one showing. */
export interface PlayerLinks {
  readonly impressionUrl: string
  readonly clickThroughUrl: string
  /** Counts the click without going anywhere. */
  readonly clickCountUrl: string
  readonly errorUrl: string
  readonly viewableUrl: string
  eventUrl(name: string): string
}

/** The macro of VAST that players fill with their error code. */
const ERROR_CODE = '[ERRORCODE]'

export function playerLinks({ address, clickUrl, eventToken, ...links }: MediaLinks): PlayerLinks {
  const eventUrl = (name: string) => `${address}/t/p/${eventToken}/${name}`
  return {
    impressionUrl: links.impressionUrl,
    clickThroughUrl: clickUrl,
    clickCountUrl: `${address}/t/k/${clickUrl.slice(clickUrl.lastIndexOf('/') + 1)}`,
    errorUrl: `${address}/t/x/${eventToken}?code=${ERROR_CODE}`,
    viewableUrl: eventUrl('viewable'),
    eventUrl,
  }
}
