import { useState } from 'react'
import { useRead } from '../../api/hooks.ts'
import type { PageOf, Placement, Slot } from '../../api/types.ts'
import { CopyText } from '../../ui/copy-text.tsx'
import { SwitchField } from '../../ui/forms/fields.tsx'
import { tagText } from './tag-text.ts'

/** The ad slots of a placement. */
export function useSlots(placementId: string) {
  return useRead<PageOf<Slot>>('/admin/slots', { query: { placementId, limit: 200 } })
}

/** The code for the publisher's page. */
export function PlacementTag({ placement }: { readonly placement: Placement }) {
  const slots = useSlots(placement.id)
  const [withSite, setWithSite] = useState(true)
  const site = slots.data?.items[0]
  const text = tagText({
    ...placement,
    origin: location.origin,
    siteId: withSite ? site?.siteId : undefined,
    width: site?.width ?? placement.recommendedWidth ?? 300,
    height: site?.height ?? placement.recommendedHeight ?? 250,
  })
  return (
    <>
      <CopyText label="Tag code" text={text} />
      {site && (
        <div className="mt-3">
          <SwitchField
            label="Include the site"
            hint="All ad slots of the page are filled in one request, and no campaign fills two of them."
            isOn={withSite}
            onToggle={setWithSite}
          />
        </div>
      )}
    </>
  )
}
