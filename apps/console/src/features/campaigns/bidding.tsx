import { useRead } from '../../api/hooks.ts'
import type { Campaign, CampaignLearning } from '../../api/types.ts'
import { When } from '../../ui/format/amounts.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { Chart } from '../../ui/figures/chart.tsx'
import { sayClock } from '../../ui/format/format.ts'
import { Answer, EmptyState } from '../../ui/layout/states.tsx'
import { useAdvertiserZone } from './overview.tsx'
import { inStrategyNames, Strategy } from './strategy.tsx'
import { TargetCost } from './target-cost.tsx'

/** The campaign's bidding strategy, its test results and its multiplier. */
export function Bidding({ campaign }: { readonly campaign: Campaign }) {
  const learning = useRead<CampaignLearning>(`/admin/learning/campaigns/${campaign.id}`, {
    everySeconds: 30,
  })
  return (
    <Answer of={learning}>
      {(data) => (
        <>
          <div className="grid items-start gap-4 lg:grid-cols-2">
            <Strategy learning={data} campaign={campaign} />
            <Judgements learning={data} />
          </div>
          {data.target && <TargetCost target={data.target} currency={campaign.currency} />}
          <Multipliers learning={data} campaign={campaign} />
        </>
      )}
    </Answer>
  )
}

function Judgements({ learning }: { readonly learning: CampaignLearning }) {
  return (
    <Card title="Test results" isFlush>
      {learning.judgements.length === 0 && (
        <EmptyState
          title="No tests yet"
          text="Every learned strategy is tested on past days before it may bid."
        />
      )}
      <ol>
        {learning.judgements.map(({ judgedAt, words, move }) => (
          <li
            key={`${judgedAt} ${words}`}
            className="flex flex-col gap-0.5 px-4 py-2.5 not-last:border-b"
          >
            <p className="flex items-center gap-2 text-xs text-ink-faint">
              <Badge tone={move === 'roll-back' ? 'bad' : move === 'stay' ? 'neutral' : 'good'}>
                {move}
              </Badge>
              <When at={judgedAt} />
            </p>
            <p>{inStrategyNames(words)}</p>
          </li>
        ))}
      </ol>
    </Card>
  )
}

function Multipliers({
  learning,
  campaign,
}: {
  readonly learning: CampaignLearning
  readonly campaign: Campaign
}) {
  const zone = useAdvertiserZone(campaign)
  const { windows } = learning
  return (
    <Card
      title="Bid multiplier today"
      hint={`1 is the ${learning.policy === 'tcpa' ? 'target cost' : 'bid'} you set; updated every 15 minutes`}
    >
      {windows.length === 0 ? (
        <EmptyState
          title="No requests today"
          text="The multiplier appears within 15 minutes of the first request."
        />
      ) : (
        <Chart
          label="Bid multiplier today, every 15 minutes"
          x={windows.map(({ startsAt }) => Date.parse(startsAt) / 1_000)}
          sayX={(seconds) => sayClock(new Date(seconds * 1_000), zone)}
          sayY={(value) => `× ${value.toFixed(2)}`}
          series={[
            { label: 'Multiplier', values: windows.map(({ multiplier }) => multiplier) },
            {
              label: 'Multiplier without the trial',
              isReference: true,
              values: windows.map(({ baseMultiplier }) => baseMultiplier),
            },
          ]}
        />
      )}
    </Card>
  )
}
