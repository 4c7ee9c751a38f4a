import { useState } from 'react'
import { api } from '../../api/client.ts'
import { useChange, useRead } from '../../api/hooks.ts'
import { useMay } from '../../api/me.ts'
import type { Campaign, CampaignLearning } from '../../api/types.ts'
import { When } from '../../ui/format/amounts.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { Chart } from '../../ui/figures/chart.tsx'
import { SelectField } from '../../ui/forms/fields.tsx'
import { sayClock, saySharePercent } from '../../ui/format/format.ts'
import { Answer, EmptyState, ProblemNote } from '../../ui/layout/states.tsx'
import { notify } from '../../ui/overlays/toast.tsx'
import { useAdvertiserZone } from './overview.tsx'

const POLICIES: readonly { readonly value: CampaignLearning['policy']; readonly label: string }[] =
  [
    { value: 'fixed', label: 'Fixed: bids stay as set' },
    { value: 're-solve', label: 'Budget-based: adjusts bids to the budget left today' },
    { value: 'dqn', label: 'Learned: a model trained on past days' },
    { value: 'dqn-seed', label: 'Learned, simple: a smaller model' },
  ]

const nameOf = (policy: string) =>
  POLICIES.find(({ value }) => value === policy)?.label.split(':')[0] ?? policy

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
            <Policy learning={data} />
            <Judgements learning={data} />
          </div>
          <Multipliers learning={data} campaign={campaign} />
        </>
      )}
    </Answer>
  )
}

function Policy({ learning }: { readonly learning: CampaignLearning }) {
  const canChange = useMay()('campaigns:write')
  const [chosen, setChosen] = useState<CampaignLearning['policy']>(learning.policy)
  const path = `/admin/learning/campaigns/${learning.campaignId}`
  const save = useChange((policy: string) => api.put(path, { policy }), { touches: [path] })
  const { isActing, why, base, baseMultiplier, trial, trialMultiplier, share } = learning
  return (
    <Card
      title="Bidding strategy"
      actions={
        <Badge tone={isActing ? 'accent' : 'neutral'}>
          {isActing ? 'Learned strategy in use' : nameOf(base)}
        </Badge>
      }
    >
      <p className="mb-3">{why}</p>
      <dl className="mb-4 grid gap-x-6 sm:grid-cols-2">
        <div className="flex justify-between border-t py-2">
          <dt className="text-ink-faint">{nameOf(base)}</dt>
          <dd className="font-medium figures">
            {saySharePercent(1 - share, 0)} of the time, × {baseMultiplier.toFixed(2)}
          </dd>
        </div>
        {trial && (
          <div className="flex justify-between border-t py-2">
            <dt className="text-ink-faint">{nameOf(trial)}, on trial</dt>
            <dd className="font-medium figures">
              {saySharePercent(share, 0)}, × {trialMultiplier?.toFixed(2)}
            </dd>
          </div>
        )}
      </dl>
      {canChange && (
        <form
          className="flex flex-wrap items-start gap-2"
          onSubmit={(event) => {
            event.preventDefault()
            save.mutate(chosen, {
              onSuccess: () =>
                notify('The target strategy is set. It takes over once it has passed its test.'),
            })
          }}
        >
          <div className="min-w-48 flex-1">
            <SelectField
              label="Target strategy"
              value={chosen}
              onValue={setChosen}
              options={POLICIES}
              hint="A simpler strategy takes over at once. A learned one is tested on past days first."
            />
          </div>
          <Button
            type="submit"
            className="mt-5"
            isBusy={save.isPending}
            disabled={chosen === learning.policy}
          >
            Set target strategy
          </Button>
        </form>
      )}
      <ProblemNote error={save.error} />
    </Card>
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
            <p>{words}</p>
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
    <Card title="Bid multiplier today" hint="1 is the bid you set; updated every 15 minutes">
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
