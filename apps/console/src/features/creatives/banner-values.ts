import type { Banner } from '../../api/types.ts'
import { orNull } from '../../ui/forms/form.ts'
import type { Shown, Size } from './banner-preview.tsx'

/** A banner as its form holds it. */
export type BannerValues = Readonly<
  Record<
    | 'title'
    | 'format'
    | 'primaryImageUrl'
    | 'primaryImageAlt'
    | 'videoUrl'
    | 'html'
    | 'headline'
    | 'subheadline'
    | 'ctaLabel'
    | 'ctaUrl'
    | 'bgColor'
    | 'width'
    | 'height',
    string
  >
>

export const valuesOf = (banner: Banner | undefined): BannerValues => ({
  title: banner?.title ?? '',
  format: banner?.format ?? 'single_image',
  primaryImageUrl: banner?.primaryImageUrl ?? '',
  primaryImageAlt: banner?.primaryImageAlt ?? '',
  videoUrl: banner?.videoUrl ?? '',
  html: banner?.html ?? '',
  headline: banner?.headline ?? '',
  subheadline: banner?.subheadline ?? '',
  ctaLabel: banner?.ctaLabel ?? '',
  ctaUrl: banner?.ctaUrl ?? '',
  bgColor: banner?.bgColor ?? '',
  width: banner?.width ? String(banner.width) : '',
  height: banner?.height ? String(banner.height) : '',
})

/** What is typed, as the API takes it. */
export const bodyOf = ({
  title,
  format,
  primaryImageUrl,
  width,
  height,
  ...texts
}: BannerValues) => ({
  title,
  format,
  primaryImageUrl,
  width: width ? Number(width) : null,
  height: height ? Number(height) : null,
  ...Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, orNull(text)])),
})

/** What is typed, as a preview draws it. */
export const shownOf = (values: BannerValues): Shown => ({
  ...values,
  format: values.format as Shown['format'],
  bgColor: /^#[0-9a-f]{6}$/i.test(values.bgColor) ? values.bgColor : null,
})

/** The size that is typed; undefined while it is not whole. */
export const sizeOf = ({ width, height }: BannerValues): Size | undefined =>
  Number(width) > 0 && Number(height) > 0
    ? { width: Number(width), height: Number(height) }
    : undefined
