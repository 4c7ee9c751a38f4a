import type { LimitReason } from '@placard/decision-engine'
import type { BannerContent } from '../../decisions/index.ts'
import { escaped, framed, pixel } from '../shared/markup.ts'
import type { RequestedMedia, BidMedia, MediaShowing } from './media.ts'

export const BANNER_FORMATS: ReadonlySet<string> = new Set(['single_image', 'html'])

/** `imp.banner`: the sizes that fit, preferred size first. An empty list fits every banner. */
export function requestedBanner(
  sizes: readonly string[],
  formats: ReadonlySet<string> = BANNER_FORMATS,
): RequestedMedia {
  return {
    type: 'banner',
    formats,
    sizes: sizes.length === 0 ? undefined : new Set(sizes),
    judge: (banner) => judge(banner, sizes, formats),
    present: (showing) => present(showing, sizes),
    asked: { type: 'banner', sizes, formats: [...formats] },
  }
}

/** A banner without a size fits every request. */
function judge(
  banner: BannerContent,
  sizes: readonly string[],
  formats: ReadonlySet<string>,
): LimitReason | undefined {
  if (!formats.has(banner.format)) return 'request-format'
  if (sizes.length === 0 || banner.sizes.length === 0) return undefined
  return banner.sizes.some((size) => sizes.includes(size)) ? undefined : 'request-size'
}

function present(showing: MediaShowing, sizes: readonly string[]): BidMedia {
  const { banner } = showing
  const size = sizes.find((size) => banner.sizes.includes(size)) ?? banner.sizes[0] ?? sizes[0]
  const [w, h] = size?.split('x').map(Number) ?? []
  const shown = { ...showing, size, w, h }
  const markup = banner.format === 'html' ? framedMarkup(shown) : picture(shown)
  const { links } = showing
  return { mtype: 1, w, h, adm: links === undefined ? markup : markup + pixel(links.impressionUrl) }
}

interface Shown extends MediaShowing {
  readonly size: string | undefined
  readonly w: number | undefined
  readonly h: number | undefined
}

function framedMarkup({ banner, w, h, fillMacros, ...showing }: Shown): string {
  return framed({
    markup: fillMacros(banner.html ?? '', { width: textOf(w), height: textOf(h) }),
    title: banner.headline ?? 'Advertisement',
    width: w,
    height: h,
    clickUrl: clickUrlOf(showing),
  })
}

const textOf = (pixels: number | undefined) => (pixels === undefined ? '' : String(pixels))

function picture({ banner, size, w, h, wholeUrl, ...showing }: Shown): string {
  const { images, headline } = banner
  const source = (size === undefined ? undefined : images.variants?.[size]) ?? images.primary
  const dimensions = w === undefined || h === undefined ? '' : ` width="${w}" height="${h}"`
  const alt = escaped(images.alt ?? headline ?? '')
  const image = `<img src="${escaped(wholeUrl(source))}"${dimensions} alt="${alt}" style="border:0;display:block;max-width:100%">`
  const shown =
    images.mobile === null
      ? image
      : `<picture><source media="(max-width: 480px)" srcset="${escaped(wholeUrl(images.mobile))}">${image}</picture>`
  const clickUrl = clickUrlOf(showing)
  if (clickUrl === undefined) return shown
  return `<a href="${escaped(clickUrl)}" target="_blank" rel="noopener nofollow sponsored">${shown}</a>`
}

const clickUrlOf = ({ links, landingUrl }: Pick<MediaShowing, 'links' | 'landingUrl'>) =>
  links?.clickUrl ?? landingUrl ?? undefined
