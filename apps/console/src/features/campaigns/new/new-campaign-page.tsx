import { ArrowLeft, ArrowRight } from 'lucide-react'
import { useState } from 'react'
import { useMay } from '../../../api/me.ts'
import { useSearchParams } from '../../../search-params.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/layout/card.tsx'
import { cx } from '../../../ui/cx.ts'
import { Page } from '../../../ui/layout/page.tsx'
import { type Draft, EMPTY_DRAFT } from './draft.ts'
import { Forecast } from './forecast.tsx'
import { Review } from './review.tsx'
import { AudienceStep, BudgetStep, CreativeStep, GoalStep, WhereStep } from './steps.tsx'
import { useBookingWorld } from './world.ts'

const STEPS = ['goal', 'budget', 'audience', 'creative', 'where', 'review'] as const
type Step = (typeof STEPS)[number]

const TITLES: Readonly<Record<Step, { readonly title: string; readonly hint: string }>> = {
  goal: { title: 'Objective', hint: 'What should the campaign achieve?' },
  budget: { title: 'Budget', hint: 'How much, and how fast?' },
  audience: { title: 'Audience', hint: 'Who should see the ads?' },
  creative: { title: 'Creative', hint: 'Which banners should run?' },
  where: { title: 'Placements', hint: 'Where should the ads run?' },
  review: { title: 'Review', hint: 'Check everything before you start' },
}

/** A campaign in six steps. Only the last one creates anything. */
export function NewCampaignPage() {
  const may = useMay()
  const [params, setParams] = useSearchParams()
  const [draft, setDraft] = useState<Draft>(EMPTY_DRAFT)
  const world = useBookingWorld(draft, may('placements:read'))
  const given = { ...draft, advertiserId: world.advertiser?.id ?? '' }
  const step = STEPS.find((name) => name === params['step']) ?? 'goal'
  const place = STEPS.indexOf(step)
  const change = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }))
  const go = (to: number) => setParams({ step: STEPS[to] })
  const part = { draft: given, onChange: change, world }
  return (
    <Page title="New campaign" parent={{ title: 'Campaigns', to: '/campaigns' }}>
      <StepList open={step} onOpen={(name) => go(STEPS.indexOf(name))} />
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <Card title={TITLES[step].hint}>
          <form
            className="flex flex-col gap-4"
            onSubmit={(event) => {
              event.preventDefault()
              go(place + 1)
            }}
          >
            {step === 'goal' && <GoalStep {...part} />}
            {step === 'budget' && <BudgetStep {...part} />}
            {step === 'audience' && <AudienceStep {...part} />}
            {step === 'creative' && <CreativeStep {...part} />}
            {step === 'where' && <WhereStep {...part} />}
            {step === 'review' && <Review draft={given} world={world} />}
            <div className="flex justify-between border-t pt-4">
              <Button
                look="ghost"
                icon={ArrowLeft}
                disabled={place === 0}
                onClick={() => go(place - 1)}
              >
                Back
              </Button>
              {step !== 'review' && (
                <Button type="submit" look="primary">
                  Next: {TITLES[STEPS[place + 1]!].title.toLowerCase()}
                  <ArrowRight className="size-3.5" aria-hidden />
                </Button>
              )}
            </div>
          </form>
        </Card>
        <Forecast draft={given} world={world} />
      </div>
    </Page>
  )
}

function StepList({
  open,
  onOpen,
}: {
  readonly open: Step
  readonly onOpen: (step: Step) => void
}) {
  return (
    <ol className="flex gap-1 overflow-x-auto pb-1">
      {STEPS.map((step, place) => (
        <li key={step} className="flex-1">
          <button
            type="button"
            aria-current={step === open ? 'step' : undefined}
            onClick={() => onOpen(step)}
            className={cx(
              'flex w-full items-center gap-2 border-t-2 px-1 py-2 text-left whitespace-nowrap',
              place <= STEPS.indexOf(open) ? 'border-accent' : 'border-line-strong',
              step === open ? 'font-semibold' : 'text-ink-faint hover:text-ink',
            )}
          >
            <span className="figures">{place + 1}</span> {TITLES[step].title}
          </button>
        </li>
      ))}
    </ol>
  )
}
