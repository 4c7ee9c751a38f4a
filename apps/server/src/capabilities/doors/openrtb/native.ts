import type { Imp } from '@placard/contract/openrtb'
import type { LimitReason } from '@placard/decision-engine'
import type { BannerContent } from '../../decisions/index.ts'
import { fieldAt, fieldsOf, isOn, listOf, textOf } from './fields.ts'
import type { BidMedia, MediaLinks, MediaShowing, RequestedMedia } from './media.ts'

const FORMATS: ReadonlySet<string> = new Set(['native', 'single_image'])
const ASSETS_MAX = 50
const REQUEST_MAX = 50_000

/** Numbers of OpenRTB native 1.2. */
const ICON = 1
const MAIN_IMAGE = 3
const SPONSORED = 1
const DESCRIPTION = 2
const DISPLAY_URL = 11
const CALL_TO_ACTION = 12
const IMPRESSION = 1
const VIEWABLE = 2
const BY_PICTURE = 1

/** One asset that the page has room for. */
interface Asset {
  readonly id: number
  readonly isRequired: boolean
  /** Undefined where no banner has it: a video, the price of a product. */
  readonly find: ((banner: BannerContent, it: AssetContext) => object | undefined) | undefined
}

/** What an asset needs beyond its banner. */
interface AssetContext {
  readonly advertiser: string | undefined
  readonly landingUrl: string | null
  wholeUrl(url: string): string
}

/** `imp.native`, of 1.1 and 1.2, with or without its root. Undefined for one that cannot be read. */
export function requestedNative({ request, ver }: NonNullable<Imp['native']>) {
  const read = readRequest(request)
  const assets = listOf(read?.['assets']).slice(0, ASSETS_MAX).flatMap(assetOf)
  if (read === undefined || assets.length === 0) return undefined
  const version = textOf(read['ver']) ?? ver ?? '1.2'
  const events = listOf(read['eventtrackers'])
  return {
    type: 'native',
    formats: FORMATS,
    judge: (banner) => judge(banner, assets),
    present: (showing) => present(showing, { assets, events, version }),
    asked: { type: 'native', assets: listOf(read['assets']).slice(0, ASSETS_MAX) },
  } satisfies RequestedMedia
}

function readRequest(text: string | undefined) {
  if (text === undefined || text.length > REQUEST_MAX) return undefined
  try {
    const parsed: unknown = JSON.parse(text)
    return fieldsOf(fieldAt(parsed, 'native') ?? parsed)
  } catch {
    return undefined
  }
}

function assetOf(asset: unknown): readonly Asset[] {
  const { id, required, title, img, data } = fieldsOf(asset)
  const number = typeof id === 'string' ? Number(id) : id
  if (typeof number !== 'number' || !Number.isInteger(number)) return []
  const find =
    title !== undefined
      ? titleOf(title)
      : img !== undefined
        ? imageOf(img)
        : data !== undefined
          ? dataOf(data)
          : undefined
  return [{ id: number, isRequired: isOn(required), find }]
}

const titleOf =
  (title: unknown): Asset['find'] =>
  ({ headline }) =>
    headline === null ? undefined : { title: { text: cut(headline, lengthOf(title)) } }

function imageOf(image: unknown): Asset['find'] {
  const { type, wmin, hmin } = fieldsOf(image)
  if (type === ICON || type === 2) return undefined
  return ({ images, sizes }, { wholeUrl }) => {
    const [w, h] = sizes[0]?.split('x').map(Number) ?? []
    const fits = isAtLeast(w, wmin) && isAtLeast(h, hmin)
    return fits ? { img: { type: MAIN_IMAGE, url: wholeUrl(images.primary), w, h } } : undefined
  }
}

/** A picture of unknown size meets no minimum. */
const isAtLeast = (pixels: number | undefined, min: unknown): boolean =>
  typeof min !== 'number' || min <= 0 || (pixels !== undefined && pixels >= min)

function dataOf(data: unknown): Asset['find'] {
  const { type } = fieldsOf(data)
  const length = lengthOf(data)
  return (banner, it) => {
    const value = textFor(type, banner, it)
    return value === undefined ? undefined : { data: { type, value: cut(value, length) } }
  }
}

function textFor(type: unknown, banner: BannerContent, it: AssetContext): string | undefined {
  if (type === SPONSORED) return it.advertiser
  if (type === DESCRIPTION) return banner.description ?? undefined
  if (type === CALL_TO_ACTION) return banner.ctaLabel ?? undefined
  if (type !== DISPLAY_URL || it.landingUrl === null) return undefined
  return URL.parse(it.landingUrl)?.hostname.replace(/^www\./, '')
}

const lengthOf = (asset: unknown): number => {
  const { len } = fieldsOf(asset)
  return typeof len === 'number' && len > 0 ? len : Infinity
}

/** Cut at a word, where one ends within the length. */
function cut(text: string, length: number): string {
  if (text.length <= length) return text
  const words = text.slice(0, length + 1)
  const end = words.lastIndexOf(' ')
  return end > 0 ? words.slice(0, end) : text.slice(0, length)
}

/** For judging: every advertiser has a name, and addresses do not matter. */
const ANY: Omit<AssetContext, 'landingUrl'> = { advertiser: 'Any', wholeUrl: (url) => url }

function judge(banner: BannerContent, assets: readonly Asset[]): LimitReason | undefined {
  if (!FORMATS.has(banner.format)) return 'request-format'
  const it = { ...ANY, landingUrl: banner.landingUrl }
  const lacksOne = assets.some(
    ({ isRequired, find }) => isRequired && find?.(banner, it) === undefined,
  )
  return lacksOne ? 'native-asset' : undefined
}

interface Asked {
  readonly assets: readonly Asset[]
  readonly events: readonly unknown[]
  readonly version: string
}

function present(showing: MediaShowing, { assets, events, version }: Asked): BidMedia {
  const { banner, links, landingUrl } = showing
  const given = assets.flatMap(({ id, find }) => {
    const asset = find?.(banner, showing)
    return asset === undefined ? [] : [{ id, ...asset }]
  })
  const native = {
    ver: version,
    assets: given,
    link: { url: links?.clickUrl ?? landingUrl ?? '' },
    ...(links && trackersOf(links, events, version)),
  }
  return { mtype: 4, adm: JSON.stringify(native) }
}

/** Trackers of 1.2 are those that the page asked for, as pictures; older pages know one list. */
function trackersOf(links: MediaLinks, events: readonly unknown[], version: string) {
  const { impressionUrl, address, eventToken } = links
  if (version.startsWith('1.1') || version.startsWith('1.0')) {
    return { imptrackers: [impressionUrl] }
  }
  const urls = new Map([
    [IMPRESSION, impressionUrl],
    [VIEWABLE, `${address}/t/p/${eventToken}/viewable`],
  ])
  const eventtrackers = events.flatMap((asked) => {
    const { event, methods } = fieldsOf(asked)
    const url = typeof event === 'number' ? urls.get(event) : undefined
    const isAsked = url !== undefined && listOf(methods).includes(BY_PICTURE)
    return isAsked ? [{ event, method: BY_PICTURE, url }] : []
  })
  return eventtrackers.length === 0 ? {} : { eventtrackers }
}
