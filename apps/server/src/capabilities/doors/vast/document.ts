import type { FilmEvent } from '@placard/contract/tracking'
import { xmlAddress, xmlElement, xmlText } from '../shared/xml.ts'
import { type Companion, type FilmAd, playerLinks, type PlayerLinks } from './film-ad.ts'
import {
  type CompanionPart,
  type Dialect,
  dialectOf,
  type InLinePart,
  type LinearPart,
  type VastVersion,
} from './version.ts'

const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>'
const SYSTEM = 'Placard'
const REGISTRY = 'placard'
const CATEGORY_AUTHORITY = 'iabtechlab.com'
/** When a viewer has seen enough to decide whether to skip. */
const PROGRESS_MS = 5_000

export interface DocumentTerms {
  readonly version: VastVersion
  /** Told of an answer without an ad, if the player asks for that. */
  readonly emptyErrorUrl?: string | undefined
}

/** A whole VAST document. Several ads follow one another; a version without pods gets the first. */
export function vastDocument(ads: readonly FilmAd[], terms: DocumentTerms): string {
  const dialect = dialectOf(terms.version)
  const { version, namespace: xmlns, hasSkipAndPods } = dialect
  const shown = hasSkipAndPods ? ads : ads.slice(0, 1)
  const content =
    shown.length === 0
      ? addressed('Error', terms.emptyErrorUrl)
      : shown.map((ad, at) => adElement({ ad, dialect }, shown.length > 1 ? at + 1 : undefined))
  return DECLARATION + xmlElement('VAST', [content].flat().join(''), { version, xmlns })
}

/** One ad in one version. */
interface Writing {
  readonly ad: FilmAd
  readonly dialect: Dialect
}

function adElement({ ad, dialect }: Writing, sequence: number | undefined): string {
  const links = ad.links && playerLinks(ad.links)
  const written = { ad, dialect, links }
  const isWrapper = ad.wrappedUrl !== undefined
  const parts = isWrapper ? dialect.wrapper : dialect.inLine
  const content = parts.map((part) => PARTS[part](written)).join('')
  const kind = isWrapper ? 'Wrapper' : 'InLine'
  return xmlElement('Ad', xmlElement(kind, content), { id: ad.bannerId, sequence })
}

interface WritingLinked extends Writing {
  /** Absent in a test. */
  readonly links: PlayerLinks | undefined
}

const PARTS: Readonly<Record<InLinePart, (writing: WritingLinked) => string>> = {
  AdServingId: ({ ad }) => xmlElement('AdServingId', xmlText(ad.decisionId)),
  AdSystem: () => xmlElement('AdSystem', SYSTEM),
  AdTitle: ({ ad }) => xmlElement('AdTitle', xmlText(ad.title)),
  AdVerifications: ({ ad }) => verifications(ad),
  Advertiser: ({ ad }) => said('Advertiser', ad.advertiser),
  Category: ({ ad }) => said('Category', ad.category, { authority: CATEGORY_AUTHORITY }),
  Creatives: creatives,
  Description: ({ ad }) => said('Description', ad.description),
  Error: ({ links }) => addressed('Error', links?.errorUrl),
  Expires: ({ ad }) => xmlElement('Expires', String(ad.expiresSeconds)),
  Extensions: ({ ad }) => verificationExtension(ad),
  // The schema wants one also where nothing is counted.
  Impression: ({ links }) => addressed('Impression', links?.impressionUrl) || '<Impression/>',
  VASTAdTagURI: ({ ad }) => addressed('VASTAdTagURI', ad.wrappedUrl),
  ViewableImpression: ({ links }) =>
    links === undefined
      ? ''
      : xmlElement('ViewableImpression', addressed('Viewable', links.viewableUrl)),
}

const said = (name: string, text: string | null | undefined, attributes = {}) =>
  text ? xmlElement(name, xmlText(text), attributes) : ''

const addressed = (name: string, url: string | undefined, attributes = {}) =>
  url === undefined ? '' : xmlElement(name, xmlAddress(url), attributes)

function verifications({ film }: FilmAd): string {
  const content = film.verifications.map(({ vendor, scriptUrl, parameters }) =>
    xmlElement(
      'Verification',
      addressed('JavaScriptResource', scriptUrl, {
        apiFramework: 'omid',
        browserOptional: 'true',
      }) + said('VerificationParameters', parameters),
      { vendor },
    ),
  )
  return content.length === 0 ? '' : xmlElement('AdVerifications', content.join(''))
}

function verificationExtension(ad: FilmAd): string {
  const content = verifications(ad)
  if (content === '') return ''
  const extension = xmlElement('Extension', content, { type: 'AdVerifications' })
  return xmlElement('Extensions', extension)
}

/** The film first: a player takes the first creative that it can play. */
function creatives(writing: WritingLinked): string {
  const { ad } = writing
  const film = creative(writing, linear(writing))
  const companions = ad.wrappedUrl === undefined ? companionAds(writing) : ''
  return xmlElement('Creatives', film + companions)
}

function creative({ ad, dialect }: Writing, content: string): string {
  const { universalAdId } = dialect
  const isNamed = universalAdId !== undefined && ad.wrappedUrl === undefined
  const id = isNamed
    ? xmlElement('UniversalAdId', xmlText(ad.bannerId), {
        idRegistry: REGISTRY,
        idValue: universalAdId === 'attribute' ? ad.bannerId : undefined,
      })
    : ''
  return xmlElement('Creative', content + id, { id: ad.bannerId })
}

function linear(writing: WritingLinked): string {
  const { ad, dialect } = writing
  const isWrapper = ad.wrappedUrl !== undefined
  const parts = isWrapper ? WRAPPED_LINEAR : dialect.linear
  const { skipAfterMs } = ad.film
  const isSkippable = dialect.hasSkipAndPods && !isWrapper && skipAfterMs !== undefined
  const skipoffset = isSkippable ? clockText(skipAfterMs) : undefined
  const content = parts.map((part) => LINEAR_PARTS[part](writing)).join('')
  return xmlElement('Linear', content, { skipoffset })
}

/** The film itself is in the document of the other ad server. */
const WRAPPED_LINEAR: readonly LinearPart[] = ['TrackingEvents', 'VideoClicks']

const LINEAR_PARTS: Readonly<Record<LinearPart, (writing: WritingLinked) => string>> = {
  Duration: ({ ad, dialect }) => {
    const { durationMs = 0 } = ad.film
    const isExact = dialect.hasSkipAndPods
    return xmlElement('Duration', clockText(isExact ? durationMs : wholeSeconds(durationMs)))
  },
  MediaFiles: mediaFiles,
  TrackingEvents: trackingEvents,
  VideoClicks: ({ ad, links }) => {
    const click =
      ad.wrappedUrl === undefined
        ? addressed('ClickThrough', links?.clickThroughUrl ?? ad.landingUrl ?? undefined)
        : addressed('ClickTracking', links?.clickCountUrl)
    return click === '' ? '' : xmlElement('VideoClicks', click)
  },
}

const wholeSeconds = (ms: number) => Math.max(1, Math.round(ms / 1_000)) * 1_000

/** `00:00:15` or `00:00:15.500`. */
function clockText(ms: number): string {
  const [hours, minutes, seconds] = [3_600_000, 60_000, 1_000].map((unit, at) => {
    const units = Math.floor(ms / unit)
    return String(at === 0 ? units : units % 60).padStart(2, '0')
  })
  const rest = ms % 1_000
  const fraction = rest === 0 ? '' : `.${String(rest).padStart(3, '0')}`
  return `${hours}:${minutes}:${seconds}${fraction}`
}

function trackingEvents({ ad, dialect, links }: WritingLinked): string {
  if (links === undefined) return ''
  const { skipAfterMs, durationMs = Infinity } = ad.film
  const isWrapper = ad.wrappedUrl !== undefined
  const isSkippable = skipAfterMs !== undefined
  const isCounted = (event: FilmEvent) =>
    event === 'skip'
      ? isSkippable || isWrapper
      : event !== 'progress' || (isSkippable && durationMs > PROGRESS_MS)
  return tracking(links, dialect.events.filter(isCounted))
}

const tracking = ({ eventUrl }: PlayerLinks, events: readonly FilmEvent[]): string => {
  const content = events.map((event) => {
    const offset = event === 'progress' ? clockText(PROGRESS_MS) : undefined
    return addressed('Tracking', eventUrl(event), { event, offset })
  })
  return xmlElement('TrackingEvents', content.join(''))
}

const STREAMS: ReadonlySet<string> = new Set([
  'application/vnd.apple.mpegurl',
  'application/dash+xml',
])

/** Stated where neither the file nor its banner says a size: the schema wants one. */
const USUAL_SIZE = { width: 1_280, height: 720 }

function mediaFiles({ ad, dialect }: Writing): string {
  const content = ad.files.map(({ url, contentType, width, height, bitrateKbps, byteCount }) =>
    addressed('MediaFile', url, {
      delivery: STREAMS.has(contentType) ? 'streaming' : 'progressive',
      type: contentType,
      bitrate: bitrateKbps ?? undefined,
      width: width ?? USUAL_SIZE.width,
      height: height ?? USUAL_SIZE.height,
      scalable: 'true',
      maintainAspectRatio: 'true',
      fileSize: dialect.hasFileSize ? (byteCount ?? undefined) : undefined,
    }),
  )
  return xmlElement('MediaFiles', content.join(''))
}

function companionAds(writing: WritingLinked): string {
  const { ad } = writing
  if (ad.companions.length === 0) return ''
  const content = ad.companions.map((companion) => companionAd(writing, companion)).join('')
  return creative(writing, xmlElement('CompanionAds', content))
}

function companionAd({ ad, dialect, links }: WritingLinked, companion: Companion): string {
  const { bannerId: id, url, width, height, alt } = companion
  const parts: Readonly<Record<CompanionPart, string>> = {
    AltText: said('AltText', alt),
    CompanionClickThrough: addressed(
      'CompanionClickThrough',
      links?.clickThroughUrl ?? ad.landingUrl ?? undefined,
    ),
    StaticResource: addressed('StaticResource', url, { creativeType: pictureType(url) }),
    TrackingEvents: links === undefined ? '' : tracking(links, ['creativeView']),
  }
  const content = dialect.companion.map((part) => parts[part]).join('')
  return xmlElement('Companion', content, { id, width, height })
}

const PICTURE_TYPES: readonly (readonly [ending: RegExp, type: string])[] = [
  [/\.jpe?g$/i, 'image/jpeg'],
  [/\.gif$/i, 'image/gif'],
  [/\.webp$/i, 'image/webp'],
  [/\.svg$/i, 'image/svg+xml'],
]

/** By its ending, because nothing here reads the file. */
function pictureType(url: string): string {
  const path = URL.parse(url)?.pathname ?? ''
  return PICTURE_TYPES.find(([ending]) => ending.test(path))?.[1] ?? 'image/png'
}
