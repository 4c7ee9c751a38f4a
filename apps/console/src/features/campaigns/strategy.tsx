import { useState } from 'react'
import { api } from '../../api/client.ts'
import { useChange } from '../../api/hooks.ts'
import { useMay } from '../../api/me.ts'
import { faultsOf } from '../../api/problem.ts'
import type { Campaign, CampaignLearning } from '../../api/types.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { MoneyField, SelectField } from '../../ui/forms/fields.tsx'
import { readMoney, saySharePercent, typedMoney } from '../../ui/format/format.ts'
import { Card } from '../../ui/layout/card.tsx'
import { ProblemNote } from '../../ui/layout/states.tsx'
import { notify } from '../../ui/overlays/toast.tsx'
import { TOUCHED } from './changes.ts'

type StrategyName = CampaignLearning['policy']

const STRATEGIES: readonly { readonly value: StrategyName; readonly label: string }[] = [
  { value: 'fixed', label: 'Fixed: bids stay as set' },
  { value: 're-solve', label: 'Budget-based: adjusts bids to the budget left today' },
  { value: 'dqn', label: 'Learned: a model trained on past days' },
  { value: 'dqn-seed', label: 'Learned, simple: a smaller model' },
  { value: 'tcpa', label: 'Target cost: bids aim at a cost per purchase' },
]

const nameOf = (policy: string) =>
  STRATEGIES.find(({ value }) => value === policy)?.label.split(':')[0] ?? policy

/** The server's sentences with the names that this page gives the strategies. */
export const inStrategyNames = (words: string): string =>
  words.replaceAll(/\b(re-solve|dqn-seed|dqn|tcpa)\b/g, (policy) => `“${nameOf(policy)}”`)

interface Props {
  readonly learning: CampaignLearning
  readonly campaign: Campaign
}

/** Which strategy bids now, and which one the campaign is to reach. */
export function Strategy({ learning, campaign }: Props) {
  const canChange = useMay()('campaigns:write')
  const { isActing, why, base } = learning
  return (
    <Card
      title="Bidding strategy"
      actions={
        <Badge tone={isActing ? 'accent' : 'neutral'}>
          {isActing ? 'Learned strategy in use' : nameOf(base)}
        </Badge>
      }
    >
      <p className="mb-3">{inStrategyNames(why)}</p>
      <Shares learning={learning} />
      {canChange && <Choice learning={learning} campaign={campaign} />}
    </Card>
  )
}

function Shares({ learning }: Pick<Props, 'learning'>) {
  const { base, baseMultiplier, trial, trialMultiplier, share } = learning
  return (
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
  )
}

interface Chosen {
  readonly policy: StrategyName
  readonly target: string
}

/** The campaign's target first: the server refuses a strategy that does not go with it. */
async function setStrategy({ learning, campaign }: Props, { policy, target }: Chosen) {
  const before = campaign.targetCpaMicros
  const others = policy === 'fixed' ? before : null
  const targetCpaMicros = policy === 'tcpa' ? (readMoney(target) ?? target) : others
  if (targetCpaMicros !== before) {
    await api.patch(`/admin/campaigns/${campaign.id}`, { targetCpaMicros }, campaign.version)
  }
  await api.put(`/admin/learning/campaigns/${learning.campaignId}`, { policy })
}

function Choice({ learning, campaign }: Props) {
  const [policy, setPolicy] = useState<StrategyName>(learning.policy)
  const [target, setTarget] = useState(typedMoney(campaign.targetCpaMicros))
  const save = useChange((chosen: Chosen) => setStrategy({ learning, campaign }, chosen), {
    touches: ['/admin/learning', ...TOUCHED],
  })
  const isNewTarget = target !== typedMoney(campaign.targetCpaMicros)
  const paysPerClick = campaign.pricing === 'cpc'
  return (
    <form
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate(
          { policy, target },
          {
            onSuccess: () =>
              notify('The target strategy is set. It takes over once it has passed its test.'),
          },
        )
      }}
    >
      <SelectField
        label="Target strategy"
        value={policy}
        onValue={setPolicy}
        options={STRATEGIES.filter(({ value }) => value !== 'tcpa' || paysPerClick)}
        hint="A simpler strategy takes over at once. A learned one is tested on past days first."
      />
      {policy === 'tcpa' && (
        <MoneyField
          label="Target cost per purchase"
          required
          currency={campaign.currency}
          value={target}
          onValue={setTarget}
          fault={faultsOf(save.error)['targetCpaMicros']}
          hint="On average. No bid exceeds the maximum bid."
        />
      )}
      <ProblemNote error={save.error} />
      <div>
        <Button
          type="submit"
          isBusy={save.isPending}
          disabled={policy === learning.policy && !(policy === 'tcpa' && isNewTarget)}
        >
          Set target strategy
        </Button>
      </div>
    </form>
  )
}
