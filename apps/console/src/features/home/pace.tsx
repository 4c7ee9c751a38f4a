import { Link } from '@tanstack/react-router'
import { Megaphone } from 'lucide-react'
import { useState } from 'react'
import { useRead } from '../../api/hooks.ts'
import type { BudgetPacer, BudgetPacerPage } from '../../api/types.ts'
import { Money } from '../../ui/format/amounts.tsx'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { cx } from '../../ui/cx.ts'
import { Meter } from '../../ui/figures/meter.tsx'
import { Answer, EmptyState } from '../../ui/layout/states.tsx'

const EVERY_SECONDS = 10

/** Every running campaign with a daily budget: how far it is, and where an even day would be. */
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
          const running = items.filter(
            ({ campaignStatus, dailyBudgetMicros }) =>
              campaignStatus === 'active' && dailyBudgetMicros,
          )
          if (running.length === 0) return <NoneRuns />
          return (
            <>
              <ul className={cx('grid md:grid-cols-2', !isWhole && 'max-md:*:nth-[n+9]:hidden')}>
                {running.toSorted(byLead).map((pacer) => (
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

const NoneRuns = () => (
  <EmptyState
    icon={Megaphone}
    title="No active campaigns with a daily budget"
    text="Campaigns appear here once they are active and have a daily budget."
    action={<ButtonLink to="/campaigns">See all campaigns</ButtonLink>}
  />
)

/** As many as somebody scrolls past on a phone; the class in `Pace` says the same. */
const ON_A_PHONE = 8

/** What is furthest behind comes first; nearly alike stay in the order of their names. */
const byLead = (one: BudgetPacer, other: BudgetPacer) =>
  Math.round((leadOf(one) - leadOf(other)) * 20) ||
  one.campaignName.localeCompare(other.campaignName)

const shareOf = (part: string | null, whole: string | null) =>
  part && whole && whole !== '0' ? Number(part) / Number(whole) : 0

/** Ahead of the plan (above 0) or behind it, in parts of the day's budget. */
const leadOf = ({ spentTodayMicros, plannedMicros, dailyBudgetMicros }: BudgetPacer) =>
  shareOf(spentTodayMicros, dailyBudgetMicros) - shareOf(plannedMicros, dailyBudgetMicros)

const BEHIND = -0.15
const AHEAD = 0.05

/** In words, how a campaign keeps to its plan. */
export function verdictOf(pacer: BudgetPacer): { readonly text: string; readonly tone: Tone } {
  const { spentTodayMicros, dailyBudgetMicros, strategy } = pacer
  if (shareOf(spentTodayMicros, dailyBudgetMicros) >= 1)
    return { text: 'Budget used up', tone: 'warn' }
  if (strategy === 'Accelerated') return { text: 'As fast as possible', tone: 'info' }
  const lead = leadOf(pacer)
  if (lead < BEHIND) return { text: 'Behind plan', tone: 'bad' }
  return lead > AHEAD ? { text: 'Ahead of plan', tone: 'warn' } : { text: 'On plan', tone: 'good' }
}

function PaceRow({ pacer }: { readonly pacer: BudgetPacer }) {
  const { campaignId, campaignName, currency, spentTodayMicros, dailyBudgetMicros, plannedMicros } =
    pacer
  const { text, tone } = verdictOf(pacer)
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
        share={shareOf(spentTodayMicros, dailyBudgetMicros)}
        planned={
          pacer.strategy === 'Smooth' ? shareOf(plannedMicros, dailyBudgetMicros) : undefined
        }
        tone={tone === 'bad' ? 'bad' : tone === 'warn' ? 'warn' : 'accent'}
      />
      <p className="mt-1.5 flex justify-between text-xs text-ink-faint">
        <Money micros={spentTodayMicros} currency={currency} />
        <Money micros={dailyBudgetMicros} currency={currency} />
      </p>
    </li>
  )
}
