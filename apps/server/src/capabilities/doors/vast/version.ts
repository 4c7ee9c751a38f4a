import type { FilmEvent } from '@placard/contract/tracking'

/** Newest first. */
export const VAST_VERSIONS = ['4.3', '4.2', '4.1', '4.0', '3.0', '2.0'] as const
export type VastVersion = (typeof VAST_VERSIONS)[number]

/** What a player gets that names none. */
export const DEFAULT_VERSION: VastVersion = '4.2'

/** `4.1`, or only the first number: `3` is `3.0`, `4` is the default. Undefined for others. */
export function versionNamed(name: string): VastVersion | undefined {
  if (name === '4') return DEFAULT_VERSION
  return VAST_VERSIONS.find((version) => version === name || version === `${name}.0`)
}

/** Numbers of OpenRTB's `video.protocols`: a version, and whether wrappers are welcome. */
const PROTOCOLS: Readonly<Record<number, VastVersion>> = {
  2: '2.0',
  5: '2.0',
  3: '3.0',
  6: '3.0',
  7: '4.0',
  8: '4.0',
  11: '4.1',
  12: '4.1',
  13: '4.2',
  14: '4.2',
  15: '4.3',
  16: '4.3',
}
const WRAPPERS: ReadonlySet<number> = new Set([5, 6, 8, 12, 14, 16])

export interface Accepted {
  readonly version: VastVersion
  readonly mayWrap: boolean
}

/** The newest of the protocols, and whether it may be a wrapper. Undefined if we speak none. */
export function acceptedOf(protocols: readonly number[]): Accepted | undefined {
  if (protocols.length === 0) return { version: DEFAULT_VERSION, mayWrap: true }
  const version = VAST_VERSIONS.find((one) => protocols.some((number) => PROTOCOLS[number] === one))
  if (version === undefined) return undefined
  return { version, mayWrap: protocols.some((number) => WRAPPERS.has(number)) }
}

export type InLinePart =
  | 'AdServingId'
  | 'AdSystem'
  | 'AdTitle'
  | 'AdVerifications'
  | 'Advertiser'
  | 'Category'
  | 'Creatives'
  | 'Description'
  | 'Error'
  | 'Expires'
  | 'Extensions'
  | 'Impression'
  | 'VASTAdTagURI'
  | 'ViewableImpression'

export type LinearPart = 'Duration' | 'MediaFiles' | 'TrackingEvents' | 'VideoClicks'

export type CompanionPart =
  | 'AltText'
  | 'CompanionClickThrough'
  | 'StaticResource'
  | 'TrackingEvents'

/** What a version of VAST has, in the order of its schema. */
export interface Dialect {
  readonly version: VastVersion
  readonly namespace: string | undefined
  readonly inLine: readonly InLinePart[]
  readonly wrapper: readonly InLinePart[]
  readonly linear: readonly LinearPart[]
  readonly companion: readonly CompanionPart[]
  readonly events: readonly FilmEvent[]
  /** Skippable films, and ads that follow one another. */
  readonly hasSkipAndPods: boolean
  /** How the creative is named for others. */
  readonly universalAdId: 'attribute' | 'text' | undefined
  readonly hasFileSize: boolean
}

const QUARTILES = ['start', 'firstQuartile', 'midpoint', 'thirdQuartile', 'complete'] as const
const CONTROLS = ['mute', 'unmute', 'pause', 'resume', 'rewind'] as const

const EVENTS_3: readonly FilmEvent[] = [
  ...QUARTILES,
  ...CONTROLS,
  'skip',
  'progress',
  'closeLinear',
  'fullscreen',
  'exitFullscreen',
]
const EVENTS_40: readonly FilmEvent[] = [
  ...QUARTILES,
  ...CONTROLS,
  'skip',
  'progress',
  'playerExpand',
  'playerCollapse',
]

const DIALECT_41: Omit<Dialect, 'version'> = {
  namespace: 'http://www.iab.com/VAST',
  inLine: [
    'AdSystem',
    'Error',
    'Impression',
    'ViewableImpression',
    'AdServingId',
    'AdTitle',
    'AdVerifications',
    'Advertiser',
    'Category',
    'Creatives',
    'Description',
    'Expires',
  ],
  wrapper: [
    'AdSystem',
    'Error',
    'Impression',
    'ViewableImpression',
    'AdVerifications',
    'Creatives',
    'VASTAdTagURI',
  ],
  linear: ['TrackingEvents', 'Duration', 'MediaFiles', 'VideoClicks'],
  companion: ['StaticResource', 'AltText', 'CompanionClickThrough', 'TrackingEvents'],
  events: [...EVENTS_40, 'loaded', 'closeLinear'],
  hasSkipAndPods: true,
  universalAdId: 'text',
  hasFileSize: true,
}

/** Measurement scripts stand in an extension before 4.1. */
const DIALECT_40: Omit<Dialect, 'version'> = {
  ...DIALECT_41,
  inLine: [
    'AdSystem',
    'Error',
    'Extensions',
    'Impression',
    'ViewableImpression',
    'AdTitle',
    'Advertiser',
    'Category',
    'Creatives',
    'Description',
  ],
  wrapper: [
    'AdSystem',
    'Error',
    'Extensions',
    'Impression',
    'ViewableImpression',
    'Creatives',
    'VASTAdTagURI',
  ],
  events: EVENTS_40,
  universalAdId: 'attribute',
  hasFileSize: false,
}

const DIALECT_3: Omit<Dialect, 'version'> = {
  namespace: undefined,
  inLine: [
    'AdSystem',
    'AdTitle',
    'Description',
    'Advertiser',
    'Error',
    'Impression',
    'Creatives',
    'Extensions',
  ],
  wrapper: ['AdSystem', 'VASTAdTagURI', 'Error', 'Impression', 'Creatives', 'Extensions'],
  linear: ['Duration', 'TrackingEvents', 'VideoClicks', 'MediaFiles'],
  companion: ['StaticResource', 'TrackingEvents', 'CompanionClickThrough', 'AltText'],
  events: EVENTS_3,
  hasSkipAndPods: true,
  universalAdId: undefined,
  hasFileSize: false,
}

const DIALECT_2: Omit<Dialect, 'version'> = {
  ...DIALECT_3,
  inLine: DIALECT_3.inLine.filter((part) => part !== 'Advertiser'),
  events: [...QUARTILES, ...CONTROLS, 'fullscreen'],
  hasSkipAndPods: false,
}

const DIALECTS: Readonly<Record<VastVersion, Dialect>> = {
  '4.3': { version: '4.3', ...DIALECT_41 },
  '4.2': { version: '4.2', ...DIALECT_41 },
  '4.1': { version: '4.1', ...DIALECT_41 },
  '4.0': { version: '4.0', ...DIALECT_40 },
  '3.0': { version: '3.0', ...DIALECT_3 },
  '2.0': { version: '2.0', ...DIALECT_2 },
}

export const dialectOf = (version: VastVersion): Dialect => DIALECTS[version]
