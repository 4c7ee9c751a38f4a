/** What a tracking link says about one banner of one decision. Only Placard can read it. */
export interface Claims {
  readonly kind: TokenKind
  /** UUIDv7 of the decision. */
  readonly decisionId: string
  /** Position of the banner in the decision, from 0. */
  readonly position: number
  /** UTC day of the decision, in days since 1970: where its events are stored. */
  readonly utcDay: number
  /** The budget day that pays, in days since 1970. */
  readonly budgetDay: number
  readonly winner: WinnerKeys
  readonly placementKey: number | undefined
  readonly siteKey: number | undefined
  /** Keyed hash. Undefined for an unknown user or without consent. */
  readonly userKey: string | undefined
  /** Key of the page that requested the ad. Undefined if the site's pages are not classified. */
  readonly pageKey?: string | undefined
  /** A page requested the ad, by its Origin or Referer header. */
  readonly isFromPage?: boolean | undefined
  /** The reader's device session, a UUID, if the publisher's server sent it. */
  readonly deviceSessionId?: string | undefined
  readonly pricing: 'cpm' | 'cpc'
  /** In the unit of the pricing: micros per thousand impressions, or per click. */
  readonly chargeMicros: number
  readonly reservationId: string | undefined
  /** The hold under the user's frequency caps. */
  readonly holdId: string | undefined
  readonly issuedAtMs: number
}

/**
 * What a token is for. `conversion` is the click id that only the click redirect hands out. Earlier
 * releases issued `event` for impressions and clicks.
 */
export type TokenKind = 'impression' | 'click' | 'event' | 'conversion'
export const TOKEN_KINDS = [
  'impression',
  'click',
  'event',
  'conversion',
] as const satisfies readonly TokenKind[]

/** Internal keys of the winner. */
export interface WinnerKeys {
  readonly source: WinnerSource
  /** Key of the ad, the assignment or, for an evergreen banner, the banner. */
  readonly key: number
  readonly bannerKey: number
  /** House banners have no campaign. */
  readonly campaignKey: number | undefined
  readonly advertiserKey: number
}

export type WinnerSource = 'ad' | 'assignment' | 'banner'
export const WINNER_SOURCES = [
  'ad',
  'assignment',
  'banner',
] as const satisfies readonly WinnerSource[]

/** Keeps the address within the router's limit. */
export const PAYLOAD_BYTES_MAX = 180
const TEXT_BYTES_MAX = 64
/** Flags in the first byte, above kind and source. */
const IS_CPC = 16
const HAS_SESSION = 32
const HAS_PAGE = 64
const IS_FROM_PAGE = 128
const scratch = Buffer.alloc(PAYLOAD_BYTES_MAX + 2 * TEXT_BYTES_MAX)

/** Encodes the claims. The returned view is valid until the next call. */
export function encodeClaims(claims: Claims): Buffer {
  const { winner } = claims
  const writer = new Writer(scratch)
  writer.byte(
    TOKEN_KINDS.indexOf(claims.kind) |
      (WINNER_SOURCES.indexOf(winner.source) << 2) |
      (claims.pricing === 'cpc' ? IS_CPC : 0) |
      (claims.deviceSessionId === undefined ? 0 : HAS_SESSION) |
      (claims.pageKey === undefined ? 0 : HAS_PAGE) |
      (claims.isFromPage ? IS_FROM_PAGE : 0),
  )
  writer.uuid(claims.decisionId)
  writer.number(claims.issuedAtMs)
  writer.number(claims.position)
  writer.number(claims.utcDay)
  writer.number(claims.budgetDay)
  writer.number(claims.chargeMicros)
  writer.number(winner.key)
  writer.number(winner.bannerKey)
  writer.number(winner.campaignKey ?? 0)
  writer.number(winner.advertiserKey)
  writer.number(claims.placementKey ?? 0)
  writer.number(claims.siteKey ?? 0)
  writer.text(claims.userKey)
  writer.text(claims.reservationId)
  writer.text(claims.holdId)
  if (claims.deviceSessionId !== undefined) writer.uuid(claims.deviceSessionId)
  if (claims.pageKey !== undefined) writer.pageKey(claims.pageKey)
  if (writer.at > PAYLOAD_BYTES_MAX) {
    throw new RangeError(`the claims take ${writer.at} bytes, a link has ${PAYLOAD_BYTES_MAX}`)
  }
  return scratch.subarray(0, writer.at)
}

/** Only for authenticated bytes, so the shape is not checked. */
export function decodeClaims(bytes: Buffer): Claims {
  const reader = new Reader(bytes)
  const head = reader.byte()
  const decisionId = reader.uuid()
  const issuedAtMs = reader.number()
  const position = reader.number()
  const utcDay = reader.number()
  const budgetDay = reader.number()
  const chargeMicros = reader.number()
  const winner = {
    source: WINNER_SOURCES[(head >> 2) & 3]!,
    key: reader.number(),
    bannerKey: reader.number(),
    campaignKey: reader.number() || undefined,
    advertiserKey: reader.number(),
  }
  const claims = {
    kind: TOKEN_KINDS[head & 3]!,
    decisionId,
    position,
    utcDay,
    budgetDay,
    winner,
    placementKey: reader.number() || undefined,
    siteKey: reader.number() || undefined,
    userKey: reader.text(),
    pricing: head & IS_CPC ? ('cpc' as const) : ('cpm' as const),
    chargeMicros,
    reservationId: reader.text(),
    holdId: reader.text(),
    issuedAtMs,
  }
  return {
    ...claims,
    ...(head & HAS_SESSION && { deviceSessionId: reader.uuid() }),
    ...(head & HAS_PAGE && { pageKey: reader.pageKey() }),
    ...(head & IS_FROM_PAGE && { isFromPage: true }),
  }
}

/** Numbers use seven bits per byte, lowest bits first. */
class Writer {
  at = 0
  private readonly bytes: Buffer

  constructor(bytes: Buffer) {
    this.bytes = bytes
  }

  byte(value: number): void {
    this.bytes[this.at++] = value
  }

  number(value: number): void {
    if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`${value} fits no link`)
    let rest = value
    while (rest >= 0x80) {
      this.byte((rest % 0x80) | 0x80)
      rest = Math.floor(rest / 0x80)
    }
    this.byte(rest)
  }

  uuid(value: string): void {
    const { bytes, at } = this
    let digits = 0
    for (let place = 0; place < value.length; place++) {
      const code = value.charCodeAt(place)
      if (code === DASH) continue
      const digit = HEX_DIGITS[code] ?? NO_DIGIT
      if (digit === NO_DIGIT || digits === UUID_DIGITS) throw noUuid(value)
      const byte = at + (digits >> 1)
      bytes[byte] = digits & 1 ? bytes[byte]! | digit : digit << 4
      digits++
    }
    if (digits !== UUID_DIGITS) throw noUuid(value)
    this.at = at + UUID_DIGITS / 2
  }

  pageKey(value: string): void {
    const length = this.bytes.write(value, this.at, 'hex')
    if (length !== PAGE_KEY_BYTES) throw new RangeError(`"${value}" is no page key`)
    this.at += length
  }

  /** Our own keys are ASCII; other text goes through the buffer's encoder. */
  text(value: string | undefined): void {
    if (value === undefined) return this.byte(0)
    const { bytes, at } = this
    const { length } = value
    if (length === 0 || length > TEXT_BYTES_MAX) throw new RangeError(`"${value}" fits no link`)
    for (let place = 0; place < length; place++) {
      const code = value.charCodeAt(place)
      if (code > ASCII_MAX) return this.longText(value)
      bytes[at + 1 + place] = code
    }
    bytes[at] = length
    this.at = at + 1 + length
  }

  private longText(value: string): void {
    const length = Buffer.byteLength(value)
    if (length > TEXT_BYTES_MAX) throw new RangeError(`"${value}" fits no link`)
    this.byte(length)
    this.at += this.bytes.write(value, this.at)
  }
}

const PAGE_KEY_BYTES = 8
const DASH = 45
const ASCII_MAX = 127
const UUID_DIGITS = 32
const NO_DIGIT = 255
/** Digit value by character code, upper and lower case. */
const HEX_DIGITS = Uint8Array.from({ length: 128 }, (_, code) => {
  const digit = Number.parseInt(String.fromCharCode(code), 16)
  return Number.isNaN(digit) ? NO_DIGIT : digit
})
const noUuid = (value: string) => new RangeError(`"${value}" is no uuid`)

class Reader {
  private at = 0
  private readonly bytes: Buffer

  constructor(bytes: Buffer) {
    this.bytes = bytes
  }

  byte(): number {
    return this.bytes[this.at++]!
  }

  number(): number {
    let value = 0
    for (let unit = 1; ; unit *= 0x80) {
      const byte = this.byte()
      value += (byte & 0x7f) * unit
      if (byte < 0x80) return value
    }
  }

  uuid(): string {
    const hex = this.bytes.toString('hex', this.at, (this.at += 16))
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
  }

  pageKey(): string {
    return this.bytes.toString('hex', this.at, (this.at += PAGE_KEY_BYTES))
  }

  text(): string | undefined {
    const length = this.byte()
    if (length === 0) return undefined
    return this.bytes.toString('utf8', this.at, (this.at += length))
  }
}
