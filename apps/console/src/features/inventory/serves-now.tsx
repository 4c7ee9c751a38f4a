import type { ServedPlacement } from '@placard/contract/serving'
import { useQuery } from '@tanstack/react-query'
import { RotateCw } from 'lucide-react'
import { api } from '../../api/client.ts'
import type { Placement } from '../../api/types.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { Answer, EmptyState } from '../../ui/layout/states.tsx'
import { BannerPreview, LAYOUTS } from '../creatives/banner-preview.tsx'

/** What the placement would serve to you right now, in its layout. */
export function ServesNow({ placement }: { readonly placement: Placement }) {
  const path = `/banners/serve/${placement.slug}`
  const served = useQuery({
    queryKey: [path],
    queryFn: ({ signal }) => api.peek<ServedPlacement>(path, signal),
  })
  const layout = placement.layoutType
  const { recommendedWidth: width, recommendedHeight: height } = placement
  const size = width && height ? { width, height } : LAYOUTS[layout]
  return (
    <Card
      title="Preview of what serves now"
      hint="For a visitor like you; nothing is counted"
      actions={
        <Button
          look="ghost"
          icon={RotateCw}
          isBusy={served.isFetching}
          onClick={() => void served.refetch()}
        >
          Refresh
        </Button>
      }
    >
      <Answer of={served}>
        {({ banners }) =>
          banners.length === 0 ? (
            <EmptyState
              title="No ad"
              text="No campaign passes every check here right now. “Why?” shows which check stopped each one."
            />
          ) : (
            <ul className="flex flex-wrap justify-center gap-4">
              {banners.map((banner) => (
                <li
                  key={`${banner.order} ${banner.publicId}`}
                  className="flex min-w-0 flex-col gap-1.5"
                  style={{ width: size.width }}
                >
                  <BannerPreview
                    layout={layout}
                    size={size}
                    banner={{
                      title: banner.headline ?? placement.label,
                      format: banner.format as 'single_image',
                      primaryImageUrl: banner.images.primary,
                      primaryImageAlt: banner.images.alt,
                      videoUrl: banner.videoUrl,
                      html: banner.html,
                      headline: banner.headline,
                      subheadline: banner.subheadline,
                      ctaLabel: banner.cta.label,
                      bgColor: banner.bgColor,
                    }}
                  />
                  <p className="text-center text-xs text-ink-faint">
                    {banner.headline} {banner.isFallback && <Badge>Fallback</Badge>}
                  </p>
                </li>
              ))}
            </ul>
          )
        }
      </Answer>
    </Card>
  )
}
