import type { ASSET_TYPES } from '@placard/contract/creatives'
import { fileTypeFromBuffer } from 'file-type'
import { imageSize } from 'image-size'

export type AssetType = (typeof ASSET_TYPES)[number]

const EXTENSIONS: Readonly<Record<AssetType, string>> = {
  'image/svg+xml': 'svg',
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'video/mp4': 'mp4',
}

export const extensionOf = (type: AssetType): string => EXTENSIONS[type]

/** The type by the bytes, whatever the request says. Undefined if banners cannot show it. */
export async function sniffType(bytes: Uint8Array): Promise<AssetType | undefined> {
  const mime = (await fileTypeFromBuffer(bytes))?.mime
  if (mime === 'image/apng') return 'image/png'
  if (mime && mime in EXTENSIONS) return mime as AssetType
  if (mime && mime !== 'application/xml') return undefined
  return isSvg(bytes) ? 'image/svg+xml' : undefined
}

const PROLOG_BYTES = 4_096
const PROLOG = /^(?:\s+|<\?[^?]*(?:\?(?!>)[^?]*)*\?>|<!--(?:(?!-->)[^])*-->|<!DOCTYPE[^>[]*>)/i

/**
 * Recognised by its root element, after whatever XML allows before it. A document type is refused.
 */
function isSvg(bytes: Uint8Array): boolean {
  let text = new TextDecoder().decode(bytes.subarray(0, PROLOG_BYTES))
  for (;;) {
    const before = PROLOG.exec(text)?.[0]
    if (before === undefined) return /^<svg[\s/>]/.test(text)
    text = text.slice(before.length)
  }
}

const PIXELS_MAX = 65_535
/** What a reader's browser decodes easily: 50 million pixels take 200 MB. */
const SIDE_MAX = 16_384
const AREA_MAX = 50_000_000

/** Reads the file's header and decodes nothing. */
export function isTooLarge(bytes: Uint8Array): boolean {
  const { width = 0, height = 0 } = measure(bytes) ?? {}
  return Math.max(width, height) > SIDE_MAX || width * height > AREA_MAX
}

/** Width and height, if the header has them. */
export function sizeOf(bytes: Uint8Array): { width: number; height: number } | undefined {
  const size = measure(bytes)
  const [width, height] = [Math.round(size?.width ?? 0), Math.round(size?.height ?? 0)]
  const isSane = [width, height].every((pixels) => pixels >= 1 && pixels <= PIXELS_MAX)
  return isSane ? { width, height } : undefined
}

/** A film, or a picture with a broken header, has no size that is cheap to read. */
function measure(bytes: Uint8Array) {
  try {
    return imageSize(bytes)
  } catch {
    return undefined
  }
}
