import { Type, type Static } from 'typebox'
import { CONSENT_QUERY } from './consent.ts'
import { CONTEXT_TOKEN_LENGTH_MAX } from './readers.ts'
import { ServeParams } from './serving.ts'
import { TrackingParams } from './tracking.ts'

/** Players leave a macro as it is if they cannot fill it: then the field says nothing. */
const MACRO = String.raw`\[.*\]|%%.*%%|\{\{?.*\}?\}|\$\{.*\}`

interface Said {
  readonly description: string
  readonly example: string
  readonly maxLength?: number
}

const said = (pattern: string, { description, example, maxLength = 500 }: Said) =>
  Type.Optional(
    Type.String({
      maxLength,
      pattern: `^(?:${pattern}|${MACRO}|)$`,
      description,
      examples: [example],
    }),
  )

const text = (maxLength: number, { description, example }: Said) =>
  Type.Optional(Type.String({ maxLength, format: 'plain-text', description, examples: [example] }))

const PIXELS = '[1-9][0-9]{0,4}'
const SECONDS = '[0-9]{1,4}'
const TYPE = String.raw`[a-z]{1,20}/[a-zA-Z0-9.+-]{1,60}`
const FLAG = '[01]'

const Version = said(String.raw`4(?:\.[0-3])?|3(?:\.0)?|2(?:\.0)?`, {
  description: 'Version of VAST: 4.3, 4.2, 4.1, 4.0, 3.0 or 2.0. Default: 4.2',
  example: '4.2',
})
const Max = said('[1-9]|10', {
  description:
    'How many films may follow one another; never more than the placement allows, never two of one campaign',
  example: '2',
})

/** What a player says of itself. All is optional. */
const PLAYER_QUERY = {
  v: Version,
  w: said(PIXELS, { description: 'Width of the player in pixels', example: '1280' }),
  h: said(PIXELS, { description: 'Height of the player in pixels', example: '720' }),
  mimes: said(`${TYPE}(?:,${TYPE}){0,9}`, {
    description: 'Types of files that it plays, with commas. Without it: all',
    example: 'video/mp4,video/webm',
  }),
  mindur: said(SECONDS, { description: 'Least length of a film in seconds', example: '5' }),
  maxdur: said(SECONDS, { description: 'Greatest length of a film in seconds', example: '30' }),
  durs: said(`${SECONDS}(?:,${SECONDS}){0,19}`, {
    description: 'Only films of one of these lengths in seconds, with commas',
    example: '6,15,30',
  }),
  skip: said(FLAG, { description: '0: it has no button to skip a film', example: '1' }),
  wrap: said(FLAG, { description: '0: it follows no tag of another ad server', example: '1' }),
  max: Max,
  err: said(FLAG, { description: '1: an answer without an ad has an `Error`', example: '1' }),
  uid: text(200, {
    description: 'The publisher’s own id of the user; stored as a keyed hash only',
    example: '7d444840-9dc0-11d1-b245-5ffdce74fad2',
  }),
  ct: said('[A-Za-z0-9._-]+', {
    maxLength: CONTEXT_TOKEN_LENGTH_MAX,
    description: 'What the publisher’s server knows about the reader, encrypted for it',
    example: 'eyJhbGciOiJkaXIifQ',
  }),
  url: text(4_096, { description: 'Address of the page', example: 'https://news.example/today' }),
  ref: text(4_096, {
    description: 'The address that led to the page',
    example: 'https://search.example/',
  }),
  lang: text(35, { description: 'BCP 47; overrides Accept-Language', example: 'en-GB' }),
  floor: said(String.raw`[0-9]{1,7}(?:\.[0-9]{1,6})?`, {
    description:
      'Lowest price per thousand impressions. Can only raise the placement’s floor; ignored without a key of its publisher with `serving:write`',
    example: '0.5',
  }),
  ...CONSENT_QUERY,
}

export const VastParams = ServeParams
export const VastQuery = Type.Object(PLAYER_QUERY)
export type VastQuery = Static<typeof VastQuery>

export const ShowingParams = TrackingParams
export const ShowingQuery = Type.Object({ v: Version })

const TIME = String.raw`(?:[0-9]{2}:[0-5][0-9]:[0-5][0-9]|[0-9]{1,5}|100%|[0-9]{1,2}%|start|end)`

/** The breaks of a film; each asks for its own ads when it comes. */
export const VmapQuery = Type.Object({
  ...PLAYER_QUERY,
  breaks: said(`${TIME}(?:,${TIME}){0,49}`, {
    description:
      'When the film pauses for ads: `start`, `end`, seconds, `hh:mm:ss` or percent, with commas. Default: start',
    example: 'start,00:05:00,50%,end',
  }),
})
export type VmapQuery = Static<typeof VmapQuery>

export const XmlDocument = Type.Unsafe<string>({ type: 'string', description: 'XML' })
