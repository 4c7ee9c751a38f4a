import { describeRule } from '@placard/contract/targeting-words'
import { Card } from '../../../ui/layout/card.tsx'
import { sayShortCount, sayTypedMoney } from '../../../ui/format/format.ts'
import { ruleOf } from '../rule-draft.ts'
import { type Draft, estimateDay } from './draft.ts'
import type { BookingWorld } from './world.ts'

/** Estimate and summary of the campaign, beside the form. */
export function Forecast({
  draft,
  world,
}: {
  readonly draft: Draft
  readonly world: BookingWorld
}) {
  const day = estimateDay(draft, world.supply)
  const { currency } = world
  return (
    <Card title="Summary" className="lg:sticky lg:top-6">
      {day && (
        <dl className="mb-3 grid grid-cols-2 gap-3">
          <div>
            <dt className="text-xs text-ink-faint">Impressions per day, at most</dt>
            <dd className="text-xl font-semibold figures">{sayShortCount(day.impressions)}</dd>
          </div>
          <div>
            <dt className="text-xs text-ink-faint">Clicks per day, about</dt>
            <dd className="text-xl font-semibold figures">{sayShortCount(day.clicks)}</dd>
          </div>
        </dl>
      )}
      <p className="mb-3 text-xs text-ink-faint">
        {day?.boundBy === 'supply'
          ? 'An estimate: the chosen placements have no more impressions than this. Add placements or lower the budget.'
          : 'An estimate: what the budget buys at your maximum bid.'}
      </p>
      <ul className="flex list-disc flex-col gap-1 pl-4 text-ink-soft">
        <li>
          {draft.name || 'Campaign'} for {world.advertiser?.name ?? '…'}
        </li>
        <li>
          {draft.budgetDaily
            ? `${sayTypedMoney(draft.budgetDaily, currency)} per day`
            : 'No daily budget'}
          , bids up to {sayTypedMoney(draft.bid, currency)}{' '}
          {draft.pricing === 'cpc' ? 'per click' : 'per 1,000 impressions'}
        </li>
        {draft.rules.length === 0 && <li>Shown to everyone</li>}
        {draft.rules.map((rule) => (
          <li key={rule.id}>{describeRule(ruleOf(rule))}</li>
        ))}
        <li>
          {draft.bannerIds.length} {draft.bannerIds.length === 1 ? 'banner' : 'banners'} on{' '}
          {draft.placementIds.length} {draft.placementIds.length === 1 ? 'placement' : 'placements'}
        </li>
      </ul>
    </Card>
  )
}
