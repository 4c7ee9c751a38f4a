import { useState } from 'react'
import { Card } from '../../ui/layout/card.tsx'
import { FilterSelect } from '../../ui/forms/fields.tsx'
import { BannerPreview, type Layout, LAYOUTS, type Shown, type Size } from './banner-preview.tsx'

const NAMES = Object.keys(LAYOUTS) as Layout[]
const OPTIONS = [
  ...NAMES.map((value) => ({
    value,
    label: `${LAYOUTS[value].label}, ${LAYOUTS[value].width} × ${LAYOUTS[value].height}`,
  })),
  { value: 'all', label: 'All layouts' },
]

const PHONE_PX = 358

/**
 * The banner in one layout or all: at its size on the page, in its original size, or on a phone.
 */
export function PreviewCard({
  banner,
  ownSize,
}: {
  readonly banner: Shown
  readonly ownSize: Size | undefined
}) {
  const [chosen, setChosen] = useState<string>('full_static')
  const [scale, setScale] = useState('layout')
  const shown = chosen === 'all' ? NAMES : [chosen as Layout]
  const sizes = [
    { value: 'layout', label: 'As on the page' },
    { value: 'phone', label: 'On a phone' },
    ...(ownSize
      ? [{ value: 'own', label: `Original size, ${ownSize.width} × ${ownSize.height}` }]
      : []),
  ]
  const sizeIn = (layout: Layout): Size => {
    if (scale === 'own' && ownSize) return ownSize
    return scale === 'phone' ? onPhone(LAYOUTS[layout]) : LAYOUTS[layout]
  }
  return (
    <Card
      title="Preview"
      className="lg:sticky lg:top-6"
      actions={
        <>
          <FilterSelect label="Layout" value={chosen} onValue={setChosen} options={OPTIONS} />
          <FilterSelect label="Size" value={scale} onValue={setScale} options={sizes} />
        </>
      }
    >
      <div className="flex flex-col gap-5">
        {shown.map((layout) => (
          <figure key={layout} className="flex flex-col gap-1.5">
            <BannerPreview banner={banner} layout={layout} size={sizeIn(layout)} />
            {chosen === 'all' && (
              <figcaption className="text-center text-xs text-ink-faint">
                {LAYOUTS[layout].label}
              </figcaption>
            )}
          </figure>
        ))}
      </div>
    </Card>
  )
}

/** Like the tag: no wider than the screen, same aspect ratio. */
const onPhone = ({ width, height }: Size): Size =>
  width <= PHONE_PX
    ? { width, height }
    : { width: PHONE_PX, height: Math.round((PHONE_PX * height) / width) }
