import { useEffect, useRef, useState, type CSSProperties } from 'react'
import type { Banner } from '../../api/types.ts'

/** The fields of a banner that a preview needs, saved or not. */
export type Shown = Pick<
  Banner,
  | 'title'
  | 'format'
  | 'primaryImageUrl'
  | 'primaryImageAlt'
  | 'videoUrl'
  | 'html'
  | 'headline'
  | 'subheadline'
  | 'ctaLabel'
  | 'bgColor'
>

export const LAYOUTS = {
  full_static: { label: 'Full width', width: 970, height: 250 },
  full_slider: { label: 'Slider', width: 970, height: 300 },
  half_pair: { label: 'Half width', width: 480, height: 250 },
  quarter_grid: { label: 'Grid tile', width: 300, height: 250 },
  sidebar_single: { label: 'Sidebar', width: 300, height: 600 },
  sidebar_stack: { label: 'Sidebar, stacked', width: 300, height: 250 },
  inline_card: { label: 'Feed card', width: 360, height: 300 },
  interstitial: { label: 'Full screen', width: 390, height: 640 },
  popup: { label: 'Pop-up', width: 420, height: 340 },
  sticky_bar: { label: 'Sticky bar', width: 728, height: 90 },
} as const

export type Layout = keyof typeof LAYOUTS

export interface Size {
  readonly width: number
  readonly height: number
}

/** A banner in the size of a layout, scaled down to fit. */
export function BannerPreview({
  banner,
  layout,
  size = LAYOUTS[layout],
}: {
  readonly banner: Shown
  readonly layout: Layout
  readonly size?: Size
}) {
  const box = useRef<HTMLDivElement>(null)
  const [room, setRoom] = useState(size.width)
  useEffect(() => {
    const element = box.current
    if (!element) return
    const resizes = new ResizeObserver(() => setRoom(element.clientWidth))
    resizes.observe(element)
    return () => resizes.disconnect()
  }, [])
  const scale = Math.min(1, room / size.width)
  const drawn: CSSProperties = {
    width: size.width,
    height: size.height,
    transform: `scale(${scale})`,
    transformOrigin: '0 0',
    background: banner.bgColor ?? undefined,
  }
  return (
    <div ref={box} className="grid w-full justify-center overflow-hidden">
      <div style={{ width: size.width * scale, height: size.height * scale }}>
        <div
          style={drawn}
          className="flex flex-col overflow-hidden rounded-md border bg-sunken text-[#16181d]"
        >
          <div className="relative min-h-0 flex-1">
            <Media banner={banner} />
          </div>
          {banner.format === 'native' && <Words banner={banner} />}
        </div>
      </div>
    </div>
  )
}

/** Advertisers' markup runs in a sandboxed frame, without scripts. */
function Media({ banner }: { readonly banner: Shown }) {
  if (banner.format === 'html' && banner.html) {
    return (
      <iframe
        title={banner.title}
        sandbox=""
        srcDoc={banner.html}
        className="absolute inset-0 size-full border-0 bg-white"
      />
    )
  }
  if (banner.format === 'video' && banner.videoUrl) {
    return (
      <video
        src={banner.videoUrl}
        poster={banner.primaryImageUrl}
        muted
        loop
        playsInline
        controls
        className="absolute inset-0 size-full object-cover"
      />
    )
  }
  if (!banner.primaryImageUrl) return null
  return (
    <img
      src={banner.primaryImageUrl}
      alt={banner.primaryImageAlt ?? ''}
      className="absolute inset-0 size-full object-contain"
    />
  )
}

/** Only native banners show their text in the page's style. All others have it in the picture. */
function Words({ banner }: { readonly banner: Shown }) {
  const { headline, subheadline, ctaLabel } = banner
  return (
    <div className="flex flex-col gap-0.5 bg-white px-3.5 pt-2.5 pb-3">
      {headline && <b className="text-base">{headline}</b>}
      {subheadline && <span className="opacity-75">{subheadline}</span>}
      {ctaLabel && <u className="mt-1.5">{ctaLabel}</u>}
    </div>
  )
}
