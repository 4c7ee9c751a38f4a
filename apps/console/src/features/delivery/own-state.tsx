import type { Ad, PlacementLink } from '../../api/types.ts'
import { StatusBadge } from '../../ui/badge.tsx'
import { useCampaignDelivery } from './campaign-delivery.tsx'
import { DeliveryBadge, reasonOf } from './delivery-mark.tsx'

/** Of an ad that is switched on, how it delivers; of any other, its status. */
export function AdState({ ad }: { readonly ad: Ad }) {
  const delivery = useCampaignDelivery(ad.campaignId).data
  const own = delivery?.ads.find(({ adId }) => adId === ad.id)
  if (!own || ad.status !== 'active') return <StatusBadge status={ad.status} />
  return (
    <span title={own.text}>
      <DeliveryBadge {...own} /> <span className="text-ink-faint">{reasonOf(own)}</span>
    </span>
  )
}

interface PlacementStateProps {
  readonly campaignId: string
  readonly link: Pick<PlacementLink, 'placementId' | 'isActive'>
}

/** How the campaign delivers on one of its placements. */
export function PlacementState({ campaignId, link }: PlacementStateProps) {
  const delivery = useCampaignDelivery(campaignId).data
  const own = delivery?.placements.find(({ placementId }) => placementId === link.placementId)
  if (!own || !link.isActive) return null
  return (
    <p className="flex flex-wrap items-baseline gap-x-2 pl-10">
      <DeliveryBadge {...own} /> <span className="text-ink-soft">{reasonOf(own)}</span>
    </p>
  )
}
