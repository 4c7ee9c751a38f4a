import type { CampaignLearning } from '../../api/types.ts'
import { Money } from '../../ui/format/amounts.tsx'
import { sayCount, saySharePercent } from '../../ui/format/format.ts'
import { Card } from '../../ui/layout/card.tsx'
import { Fact } from '../../ui/layout/fact.tsx'

/** What a purchase has cost against the campaign's target. */
export function TargetCost({
  target,
  currency,
}: {
  readonly target: NonNullable<CampaignLearning['target']>
  readonly currency: string
}) {
  const { targetMicros, costMicros, spentMicros, purchases, correction, days } = target
  return (
    <Card
      title="Cost per purchase"
      hint={`${days} days. The last 24 hours are left out: a purchase may come a day after its click`}
    >
      <dl className="grid gap-x-6 sm:grid-cols-2">
        <Fact name="Target">
          <Money micros={targetMicros} currency={currency} />
        </Fact>
        <Fact name="Cost per purchase">
          <Money micros={costMicros} currency={currency} none="No purchase yet" />
        </Fact>
        <Fact name="Spend">
          <Money micros={spentMicros} currency={currency} />
        </Fact>
        <Fact name="Purchases">{sayCount(purchases)}</Fact>
      </dl>
      <p className="mt-3 text-ink-soft">{sayCorrection(correction)}</p>
    </Card>
  )
}

/** How the purchases that came in change the next bids. */
export function sayCorrection(correction: number): string {
  const share = saySharePercent(correction, 0)
  if (share === '100%') return 'As many purchases as predicted: bids aim at the target.'
  const isFewer = correction < 1
  return `${share} of the predicted purchases came: bids aim ${isFewer ? 'lower' : 'higher'} by that.`
}
