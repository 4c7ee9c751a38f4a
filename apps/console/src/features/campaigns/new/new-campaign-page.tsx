import { ArrowLeft, ArrowRight } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useRead } from '../../../api/hooks.ts'
import type { BookingFault, CampaignDraft } from '../../../api/types.ts'
import { useSearchParams } from '../../../search-params.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/layout/card.tsx'
import { Page } from '../../../ui/layout/page.tsx'
import { Answer } from '../../../ui/layout/states.tsx'
import { notifyProblem } from '../../../ui/overlays/toast.tsx'
import { blocking, mendOf, type Step, stepOf, STEPS } from './draft.ts'
import { FaultNotes } from './fault-notes.tsx'
import { Forecast } from './forecast.tsx'
import { DRAFTS } from './keep-draft.ts'
import { KeptNote } from './kept-note.tsx'
import { Review } from './review.tsx'
import type { StepProps } from './step.ts'
import { AudienceStep } from './step-audience.tsx'
import { BudgetStep } from './step-budget.tsx'
import { CreativeStep } from './step-creative.tsx'
import { GoalStep } from './step-goal.tsx'
import { StepList, TITLES } from './step-list.tsx'
import { WhereStep } from './step-where.tsx'
import { Unfinished } from './unfinished.tsx'
import { useCheck } from './use-check.ts'
import { useDraft } from './use-draft.ts'
import { useBookingWorld, useOnlyAdvertiser } from './world.ts'

/** A campaign in six steps. The form is kept on the server; only the last step books. */
export function NewCampaignPage() {
  const [{ draft }, setParams] = useSearchParams()
  const [made, setMade] = useState<string>()
  const opened = draft === made ? undefined : draft
  return (
    <Page title="New campaign" parent={{ title: 'Campaigns', to: '/campaigns' }}>
      {opened === undefined ? (
        <Wizard
          key="new"
          kept={undefined}
          onNew={(id) => {
            setMade(id)
            setParams({ draft: id })
          }}
        />
      ) : (
        <Opened key={opened} id={opened} />
      )}
      {draft === undefined && (
        <Unfinished
          onOpen={({ id, form }) => {
            setMade(undefined)
            setParams({ draft: id, step: form.step })
          }}
        />
      )}
    </Page>
  )
}

function Opened({ id }: { readonly id: string }) {
  const kept = useRead<CampaignDraft>(`${DRAFTS}/${id}`)
  return <Answer of={kept}>{(data) => <Wizard kept={data} onNew={() => {}} />}</Answer>
}

interface WizardProps {
  readonly kept: CampaignDraft | undefined
  readonly onNew: (id: string) => void
}

function Wizard({ kept, onNew }: WizardProps) {
  const [params, setParams] = useSearchParams()
  const wanted = params['step'] ?? kept?.form.step
  const step = STEPS.find((name) => name === wanted) ?? 'goal'
  const keeping = useDraft(kept, { step, onNew })
  const world = useBookingWorld(keeping.draft)
  const check = useCheck(keeping.draft, world)
  const [isGoing, setGoing] = useState(false)
  const [tried, setTried] = useState<ReadonlySet<Step>>(new Set())
  const form = useRef<HTMLFormElement>(null)
  useStartingAdvertiser(keeping.draft.advertiserId, (advertiserId) =>
    keeping.change({ advertiserId }),
  )
  useNewBanner(params['banner'], (bannerId) => {
    const { bannerIds } = keeping.draft
    if (!bannerIds.includes(bannerId)) keeping.change({ bannerIds: [...bannerIds, bannerId] })
    setParams({ banner: undefined })
  })
  const open = (next: Step) => {
    keeping.keepStep(next)
    setParams({ step: next })
  }
  /** Goes forward only past what is in order, as the server sees it now. */
  const go = async (next: Step) => {
    if (STEPS.indexOf(next) <= STEPS.indexOf(step)) return open(next)
    const passed = STEPS[STEPS.indexOf(next) - 1]!
    setGoing(true)
    const wrong = blocking(await check.ask().finally(() => setGoing(false)), passed)
    if (wrong.length === 0) return open(next)
    setTried(new Set(STEPS.slice(0, STEPS.indexOf(passed) + 1)))
    const first = stepOf(wrong[0]!)
    if (first !== step) open(first)
    // Once the notes are drawn, and before the next key: later it would take the focus from a field.
    setTimeout(() => form.current?.querySelector<HTMLElement>('[data-fault]')?.focus())
  }
  const isShown = (fault: BookingFault) =>
    fault.code !== 'MISSING' || tried.has(stepOf(fault)) || step === 'review'
  const faults = check.faults.filter(isShown)
  const part: StepProps = {
    draft: keeping.draft,
    onChange: keeping.change,
    world,
    pairs: check.pairs,
    faultsOf: (...paths) => faults.filter(({ path }) => paths.some((of) => isAt(path, of))),
    onMend: (fault) => keeping.change(mendOf(keeping.draft, fault) ?? {}),
    draftId: keeping.id,
  }
  const place = STEPS.indexOf(step)
  return (
    <>
      <StepList open={step} onOpen={(next) => void go(next).catch(notifyProblem)} />
      {keeping.id !== undefined && <KeptNote state={keeping.state} />}
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <Card title={TITLES[step].hint}>
          <form
            ref={form}
            noValidate
            className="flex flex-col gap-4"
            onSubmit={(event) => {
              event.preventDefault()
              void go(STEPS[place + 1]!).catch(notifyProblem)
            }}
          >
            {step === 'goal' && <GoalStep {...part} />}
            {step === 'budget' && <BudgetStep {...part} />}
            {step === 'audience' && <AudienceStep {...part} />}
            {step === 'creative' && <CreativeStep {...part} />}
            {step === 'where' && <WhereStep {...part} />}
            {step === 'review' && <Review {...part} faults={faults} flush={keeping.flush} />}
            {step !== 'review' && (
              <FaultNotes
                faults={blocking(faults, step).filter((fault) => stepOf(fault) !== step)}
                currency={world.currency}
                onMend={part.onMend}
              />
            )}
            <div className="flex justify-between border-t pt-4">
              <Button
                look="ghost"
                icon={ArrowLeft}
                disabled={place === 0}
                onClick={() => open(STEPS[place - 1]!)}
              >
                Back
              </Button>
              {step !== 'review' && (
                <Button type="submit" look="primary" isBusy={isGoing}>
                  Next: {TITLES[STEPS[place + 1]!].title.toLowerCase()}
                  <ArrowRight className="size-3.5" aria-hidden />
                </Button>
              )}
            </div>
          </form>
        </Card>
        <Forecast draft={keeping.draft} world={world} />
      </div>
    </>
  )
}

/** A part's own faults and those of its fields, but not those of its siblings. */
const isAt = (path: string, of: string) =>
  path === of ||
  (of.includes('/') && path.startsWith(`${of}/`)) ||
  (of === 'ads' && path.startsWith('ads/'))

/** A creative that was just made for this campaign is chosen. */
function useNewBanner(bannerId: string | undefined, choose: (bannerId: string) => void): void {
  useEffect(() => {
    if (bannerId !== undefined) choose(bannerId)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `choose` is new at each render
  }, [bannerId])
}

/** Users of one advertiser book for it, without choosing. */
function useStartingAdvertiser(chosen: string, choose: (advertiserId: string) => void): void {
  const only = useOnlyAdvertiser()
  useEffect(() => {
    if (chosen === '' && only !== undefined) choose(only)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `choose` is new at each render
  }, [chosen, only])
}
