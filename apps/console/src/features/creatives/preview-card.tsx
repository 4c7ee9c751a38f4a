import { useState } from 'react'
import { Card } from '../../ui/card.tsx'
import { FilterSelect } from '../../ui/fields.tsx'
import { BannerPreview, type Layout, LAYOUTS, type Shown } from './banner-preview.tsx'

const NAMES = Object.keys(LAYOUTS) as Layout[]
const OPTIONS = [
  ...NAMES.map((value) => ({
    value,
    label: `${LAYOUTS[value].label}, ${LAYOUTS[value].width} × ${LAYOUTS[value].height}`,
  })),
  { value: 'all', label: 'Every layout' },
]

/** The banner as it looks in a layout, or in all of them. */
export function PreviewCard({ banner }: { readonly banner: Shown }) {
  const [chosen, setChosen] = useState<string>('full_static')
  const shown = chosen === 'all' ? NAMES : [chosen as Layout]
  return (
    <Card
      title="Preview"
      className="lg:sticky lg:top-6"
      actions={<FilterSelect label="Layout" value={chosen} onValue={setChosen} options={OPTIONS} />}
    >
      <div className="flex flex-col gap-5">
        {shown.map((layout) => (
          <figure key={layout} className="flex flex-col gap-1.5">
            <BannerPreview banner={banner} layout={layout} />
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
