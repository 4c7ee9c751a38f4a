import { ImageOff } from 'lucide-react'
import type { Banner } from '../../api/types.ts'

/** A banner as high as a line of text. */
export function BannerThumb({
  banner,
}: {
  readonly banner: Pick<Banner, 'primaryImageUrl' | 'bgColor'> | undefined
}) {
  return (
    <span
      className="grid h-7 w-11 shrink-0 place-items-center overflow-hidden rounded-sm border bg-sunken"
      style={{ background: banner?.bgColor ?? undefined }}
    >
      {banner ? (
        <img
          src={banner.primaryImageUrl}
          alt=""
          loading="lazy"
          className="size-full object-cover"
        />
      ) : (
        <ImageOff className="size-3.5 text-ink-faint" aria-hidden />
      )}
    </span>
  )
}
