import type { Banner } from '../../api/types.ts'
import { orNull } from '../../ui/forms/form.ts'
import type { Shown, Size } from './banner-preview.tsx'

/** The form values of a banner. */
export type BannerValues = Readonly<
  Record<
    | 'title'
    | 'format'
    | 'primaryImageUrl'
    | 'primaryImageAlt'
    | 'videoUrl'
    | 'videoDurationMs'
    | 'videoSkipAfterMs'
    | 'vastUrl'
    | 'html'
    | 'headline'
    | 'subheadline'
    | 'ctaLabel'
    | 'ctaUrl'
    | 'ctaOpenNewTab'
    | 'adProductCategory'
    | 'bgColor'
    | 'width'
    | 'height',
    string
  >
>

/** People write seconds, with a fraction if they like. */
const secondsOf = (ms: number | null | undefined): string => (ms == null ? '' : String(ms / 1_000))
const millisOf = (seconds: string): number | null =>
  seconds === '' ? null : Math.round(Number(seconds) * 1_000)

export const valuesOf = (banner: Banner | undefined): BannerValues => ({
  title: banner?.title ?? '',
  format: banner?.format ?? 'single_image',
  primaryImageUrl: banner?.primaryImageUrl ?? '',
  primaryImageAlt: banner?.primaryImageAlt ?? '',
  videoUrl: banner?.videoUrl ?? '',
  videoDurationMs: secondsOf(banner?.videoDurationMs),
  videoSkipAfterMs: secondsOf(banner?.videoSkipAfterMs),
  vastUrl: banner?.vastUrl ?? '',
  html: banner?.html ?? '',
  headline: banner?.headline ?? '',
  subheadline: banner?.subheadline ?? '',
  ctaLabel: banner?.ctaLabel ?? '',
  ctaUrl: banner?.ctaUrl ?? '',
  ctaOpenNewTab: banner?.ctaOpenNewTab ? 'true' : '',
  adProductCategory: banner?.adProductCategory ?? '',
  bgColor: banner?.bgColor ?? '',
  width: banner?.width ? String(banner.width) : '',
  height: banner?.height ? String(banner.height) : '',
})

/** The form values, for the API. */
export const bodyOf = ({
  title,
  format,
  primaryImageUrl,
  width,
  height,
  ctaOpenNewTab,
  videoDurationMs,
  videoSkipAfterMs,
  ...texts
}: BannerValues) => ({
  title,
  format,
  primaryImageUrl,
  width: width ? Number(width) : null,
  height: height ? Number(height) : null,
  ctaOpenNewTab: ctaOpenNewTab === 'true',
  videoDurationMs: millisOf(videoDurationMs),
  videoSkipAfterMs: millisOf(videoSkipAfterMs),
  ...Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, orNull(text)])),
})

/** The form values, for the preview. */
export const shownOf = (values: BannerValues): Shown => ({
  ...values,
  format: values.format as Shown['format'],
  bgColor: /^#[0-9a-f]{6}$/i.test(values.bgColor) ? values.bgColor : null,
})

/** The size in the form. Undefined while it is incomplete. */
export const sizeOf = ({ width, height }: BannerValues): Size | undefined =>
  Number(width) > 0 && Number(height) > 0
    ? { width: Number(width), height: Number(height) }
    : undefined
