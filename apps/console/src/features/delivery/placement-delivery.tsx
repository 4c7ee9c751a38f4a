import type { PlacementDelivery } from '@placard/contract/delivery'
import { useRead } from '../../api/hooks.ts'
import { Card } from '../../ui/layout/card.tsx'
import { sayCount, saySharePercent } from '../../ui/format/format.ts'
import { Line } from './campaign-delivery.tsx'

/** Why the placement shows ads or not, and what holds its campaigns back. */
export function PlacementDeliveryCard({ id }: { readonly id: string }) {
  const delivery = useRead<PlacementDelivery>(`/admin/placements/${id}/delivery`, {
    everySeconds: 30,
  }).data
  if (!delivery) return null
  const { requests, filled, campaigns, action } = delivery
  const isHere = action?.kind === 'open-placement' || action?.kind === 'check-tag'
  const held = campaigns.filter(({ code }) => code !== null)
  return (
    <Card>
      <Line
        line={{ ...delivery, action: isHere ? null : action }}
        note={
          requests > 0 && (
            <p className="mt-1 text-xs text-ink-faint">
              {saySharePercent(filled, 0)} of {sayCount(requests)} requests of the last 24 hours got
              an ad.
            </p>
          )
        }
      />
      {held.length > 0 && (
        <ul
          className="mt-3 flex flex-col gap-1 border-t pt-3 text-ink-soft"
          aria-label="Campaigns that are held back here"
        >
          {held.slice(0, LINES_SHOWN).map(({ text, campaigns: count }) => (
            <li key={text}>
              <span className="font-medium figures">{sayCount(count)}</span>{' '}
              {count === 1 ? 'campaign' : 'campaigns'}: {text}
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

const LINES_SHOWN = 6
