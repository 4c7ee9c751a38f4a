import { Link } from '@tanstack/react-router'
import { Megaphone } from 'lucide-react'
import { useState } from 'react'
import { useRead } from '../../api/hooks.ts'
import type { BudgetPacer, BudgetPacerPage } from '../../api/types.ts'
import { Money } from '../../ui/format/amounts.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { cx } from '../../ui/cx.ts'
import { Meter } from '../../ui/figures/meter.tsx'
import { Answer, EmptyState } from '../../ui/layout/states.tsx'
import { pacedCampaigns, paceVerdict, plannedShare, spentShare } from './pacing.ts'

const EVERY_SECONDS = 10

/** Running campaigns with a daily budget: the share spent, beside an even pace. */
export function Pace() {
  const page = useRead<BudgetPacerPage>('/admin/budget/pacers', {
    query: { pageSize: 100 },
    everySeconds: EVERY_SECONDS,
  })
  const [isWhole, setWhole] = useState(false)
  return (
    <Card title="Pacing" hint="Share of today’s budget spent; the mark shows an even pace" isFlush>
      <Answer of={page}>
        {({ items }) => {
          const running = pacedCampaigns(items)
          if (running.length === 0) return <NoCampaigns />
          return (
            <>
              <ul className={cx('grid md:grid-cols-2', !isWhole && 'max-md:*:nth-[n+9]:hidden')}>
                {running.map((pacer) => (
                  <PaceRow key={pacer.id} pacer={pacer} />
                ))}
              </ul>
              {!isWhole && running.length > ON_A_PHONE && (
                <div className="p-2 text-center md:hidden">
                  <Button look="ghost" onClick={() => setWhole(true)}>
                    Show all {running.length}
                  </Button>
                </div>
              )}
            </>
          )
        }}
      </Answer>
    </Card>
  )
}

const NoCampaigns = () => (
  <EmptyState
    icon={Megaphone}
    title="No active campaigns with a daily budget"
    text="Campaigns appear here once they are active and have a daily budget."
    action={<ButtonLink to="/campaigns">See all campaigns</ButtonLink>}
  />
)

/** Rows shown on a phone before "Show all". The class in `Pace` has the same number. */
const ON_A_PHONE = 8

function PaceRow({ pacer }: { readonly pacer: BudgetPacer }) {
  const { campaignId, campaignName, currency, spentTodayMicros, dailyBudgetMicros } = pacer
  const { text, tone } = paceVerdict(pacer)
  return (
    <li className="border-b px-4 py-3 md:odd:border-r">
      <div className="mb-2 flex items-center gap-2">
        <Link
          to={`/campaigns/${campaignId}`}
          className="min-w-0 flex-1 truncate rounded-sm font-medium hover:underline"
        >
          {campaignName}
        </Link>
        <Badge tone={tone}>{text}</Badge>
      </div>
      <Meter
        label={`${campaignName}: share of today’s budget spent`}
        share={spentShare(pacer)}
        planned={plannedShare(pacer)}
        tone={tone === 'bad' ? 'bad' : tone === 'warn' ? 'warn' : 'accent'}
      />
      <p className="mt-1.5 flex justify-between text-xs text-ink-faint">
        <Money micros={spentTodayMicros} currency={currency} />
        <Money micros={dailyBudgetMicros} currency={currency} />
      </p>
    </li>
  )
}
