import { Link } from '@tanstack/react-router'
import { Megaphone } from 'lucide-react'
import { useRead } from '../../api/hooks.ts'
import type { Campaign, PageOf } from '../../api/types.ts'
import { Money } from '../../ui/format/amounts.tsx'
import { Badge } from '../../ui/badge.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { Meter } from '../../ui/figures/meter.tsx'
import { Answer, EmptyState } from '../../ui/layout/states.tsx'
import { pacedCampaigns, paceVerdict, plannedShare, spentShare } from './pacing.ts'

const EVERY_SECONDS = 10
const SHOWN = 12

/** The running campaigns furthest behind: the share of the daily budget spent, beside an even pace. */
export function Pace() {
  const page = useRead<PageOf<Campaign>>('/admin/campaigns', {
    query: { status: 'active', sort: 'pace', limit: SHOWN },
    everySeconds: EVERY_SECONDS,
  })
  return (
    <Card
      title="Pacing"
      hint="Share of today’s budget spent, furthest behind first; the mark shows an even pace"
      isFlush
      actions={<ButtonLink to={ALL}>All by pace</ButtonLink>}
    >
      <Answer of={page}>
        {({ items }) => {
          const running = pacedCampaigns(items)
          if (running.length === 0) return <NoCampaigns />
          return (
            <ul className="grid md:grid-cols-2">
              {running.map((campaign) => (
                <PaceRow key={campaign.id} campaign={campaign} />
              ))}
            </ul>
          )
        }}
      </Answer>
    </Card>
  )
}

const ALL = '/campaigns?status=active&sort=pace'

const NoCampaigns = () => (
  <EmptyState
    icon={Megaphone}
    title="No active campaigns with a daily budget"
    text="Campaigns appear here once they are active and have a daily budget."
    action={<ButtonLink to="/campaigns">See all campaigns</ButtonLink>}
  />
)

function PaceRow({ campaign }: { readonly campaign: Campaign }) {
  const { id, name, currency, spentTodayMicros, budgetDailyMicros } = campaign
  const { text, tone } = paceVerdict(campaign)
  return (
    <li className="border-b px-4 py-3 md:odd:border-r">
      <div className="mb-2 flex items-center gap-2">
        <Link
          to={`/campaigns/${id}`}
          className="min-w-0 flex-1 truncate rounded-sm font-medium hover:underline"
        >
          {name}
        </Link>
        <Badge tone={tone}>{text}</Badge>
      </div>
      <Meter
        label={`${name}: share of today’s budget spent`}
        share={spentShare(campaign)}
        planned={plannedShare(campaign)}
        tone={tone === 'bad' ? 'bad' : tone === 'warn' ? 'warn' : 'accent'}
      />
      <p className="mt-1.5 flex justify-between text-xs text-ink-faint">
        <Money micros={spentTodayMicros} currency={currency} />
        <Money micros={budgetDailyMicros} currency={currency} />
      </p>
    </li>
  )
}
