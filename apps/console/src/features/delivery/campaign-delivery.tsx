import type { CampaignDelivery, Delivery } from '@placard/contract/delivery'
import type { ReactNode } from 'react'
import { useRead } from '../../api/hooks.ts'
import type { Ad, Campaign, PageOf } from '../../api/types.ts'
import { Card } from '../../ui/layout/card.tsx'
import { Meter } from '../../ui/figures/meter.tsx'
import { sayCount } from '../../ui/format/format.ts'
import { DeliveryBadge, reasonOf } from './delivery-mark.tsx'
import { type Action, MendButton } from './mend-button.tsx'

export const useCampaignDelivery = (id: string) =>
  useRead<CampaignDelivery>(`/admin/campaigns/${id}/delivery`, { everySeconds: 15 })

/** Why the campaign delivers or not, with the button that mends it, and its parts that are held back. */
export function CampaignDeliveryCard({ campaign }: { readonly campaign: Campaign }) {
  const delivery = useCampaignDelivery(campaign.id).data
  if (!delivery || delivery.code === 'ended' || delivery.code === 'cancelled') return null
  const hasParts = campaign.status === 'active' && delivery.code !== 'serving-off'
  return (
    <Card>
      <Line line={delivery} note={<PastNote delivery={delivery} campaign={campaign} />} />
      {hasParts && <Parts delivery={delivery} campaign={campaign} />}
    </Card>
  )
}

interface LineProps {
  readonly line: Delivery & { readonly action: Action | null }
  readonly name?: ReactNode
  readonly note?: ReactNode
}

export function Line({ line, name, note }: LineProps) {
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <div className="min-w-0 flex-1 basis-72">
        <p className="flex flex-wrap items-baseline gap-x-2 gap-y-1">
          {name}
          <DeliveryBadge {...line} />
          <span>{reasonOf(line)}</span>
        </p>
        {note}
      </div>
      <MendButton action={line.action} />
    </div>
  )
}

interface Props {
  readonly delivery: CampaignDelivery
  readonly campaign: Campaign
}

/** What the requests of the last day say. */
function PastNote({ delivery: { past }, campaign }: Props) {
  if (campaign.status !== 'active' || past.requests === 0) return null
  const won = Math.round(past.won * past.requests)
  const admitted = Math.round(past.admitted * past.requests)
  return (
    <p className="mt-1 text-xs text-ink-faint">
      Of {sayCount(past.requests)} requests of the last 24 hours, {sayCount(admitted)} came from
      readers it is meant for; it won, or would have won, {sayCount(won)}.
    </p>
  )
}

/** Parts that say something else than the campaign itself. */
function Parts({ delivery, campaign }: Props) {
  const { ads, placements, past, text } = delivery
  const names = useRead<PageOf<Ad>>('/admin/ads', {
    query: { campaignId: campaign.id, limit: 200 },
    when: ads.length > 1,
  })
  const nameOf = (id: string) => names.data?.items.find((ad) => ad.id === id)?.name ?? 'Ad'
  const others = (line: Delivery) => line.state !== 'delivering' && line.text !== text
  const lines = [
    ...(placements.length > 1 ? placements : []).filter(others).map((line) => ({
      key: line.placementId,
      name: line.slug,
      line,
    })),
    ...(ads.length > 1 ? ads : []).filter(others).map((line) => ({
      key: line.adId,
      name: nameOf(line.adId),
      line,
    })),
  ]
  const rules = past.rules.filter(({ passes }) => passes < 1)
  if (lines.length === 0 && rules.length === 0) return null
  return (
    <div className="mt-3 flex flex-col gap-3 border-t pt-3">
      {lines.length > 0 && (
        <ul className="flex flex-col gap-2" aria-label="Parts that are held back">
          {lines.slice(0, PARTS_SHOWN).map(({ key, name, line }) => (
            <li key={key}>
              <Line line={line} name={<span className="font-medium">{name}</span>} />
            </li>
          ))}
        </ul>
      )}
      {rules.length > 0 && <Rules rules={rules} />}
    </div>
  )
}

const PARTS_SHOWN = 10

type Rule = CampaignDelivery['past']['rules'][number]

/** The share of yesterday's requests that each rule lets pass. */
function Rules({ rules }: { readonly rules: readonly Rule[] }) {
  return (
    <dl className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 gap-y-1 sm:grid-cols-[10rem_minmax(0,1fr)_6rem]">
      {rules.map(({ rule, passes, text }) => (
        <div key={rule} className="contents" title={text}>
          <dt className="text-ink-soft first-letter:uppercase">{rule.replaceAll(/[_-]/g, ' ')}</dt>
          <dd className="flex items-center max-sm:hidden">
            <Meter label={text} share={passes} />
          </dd>
          <dd className="text-right figures">{Math.round(passes * 100)} % pass</dd>
        </div>
      ))}
    </dl>
  )
}
