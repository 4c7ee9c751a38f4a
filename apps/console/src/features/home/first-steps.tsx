import { useNavigate } from '@tanstack/react-router'
import { Circle, CircleCheck } from 'lucide-react'
import type { ReactNode } from 'react'
import { api } from '../../api/client.ts'
import { useChange, useRead } from '../../api/hooks.ts'
import { useMe } from '../../api/me.ts'
import type { FirstSteps as CheckList, PageOf, Placement } from '../../api/types.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { Meter } from '../../ui/figures/meter.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { notify, notifyProblem } from '../../ui/overlays/toast.tsx'
import { PlacementTag } from '../inventory/placement-tag.tsx'
import { FIRST_STEPS, nextOf, type StepName } from './first-step-words.ts'

const PATH = '/admin/first-steps'
const EVERY_SECONDS = 5

/** The check-list of a new platform. It stays until everything is done, or until it is put aside. */
export function FirstSteps() {
  const list = useRead<CheckList>(PATH)
  return list.data?.isOpen ? <OpenList /> : null
}

const usePutAside = () =>
  useChange((isPutAside: boolean) => api.put<CheckList>(PATH, { isPutAside }), { touches: [PATH] })

/** Brings back the list that somebody has put aside. */
export function ShowFirstSteps() {
  const navigate = useNavigate()
  const list = useRead<CheckList>(PATH)
  const putAside = usePutAside()
  if (!list.data?.isPutAside || list.data.steps.every(({ isDone }) => isDone)) return null
  const show = () =>
    putAside.mutate(false, {
      onSuccess: () => void navigate({ to: '/' }),
      onError: notifyProblem,
    })
  return (
    <Button isBusy={putAside.isPending} onClick={show}>
      Show first steps
    </Button>
  )
}

/** Asks again and again: a page with the tag, or a mail server, may tick a step. */
function OpenList() {
  const list = useRead<CheckList>(PATH, { everySeconds: EVERY_SECONDS })
  const putAside = usePutAside()
  if (!list.data?.isOpen) return null
  const { steps } = list.data
  const done = steps.filter(({ isDone }) => isDone).length
  const next = nextOf(steps)
  const hide = () =>
    putAside.mutate(true, {
      onSuccess: () => notify('The first steps are put aside.', () => putAside.mutate(false)),
      onError: notifyProblem,
    })
  return (
    <Card
      title="First steps"
      hint={`${done} of ${steps.length} done, from an empty platform to the first counted ad. Each line is ticked when it is so.`}
      isFlush
      actions={
        <Button look="ghost" isBusy={putAside.isPending} onClick={hide}>
          Put aside
        </Button>
      }
    >
      <div className="px-4 pt-3">
        <Meter label="Steps done" share={done / steps.length} />
      </div>
      <ol>
        {steps.map(({ name, isDone }) => (
          <Step key={name} name={name} isDone={isDone} isNext={name === next}>
            {name === 'mail' && <TestMail mail={list.data.mail} />}
            {name === 'tag' && <TagToCopy />}
            {name === 'campaign' && <ToBanner />}
          </Step>
        ))}
      </ol>
    </Card>
  )
}

interface StepProps {
  readonly name: StepName
  readonly isDone: boolean
  readonly isNext: boolean
  readonly children: ReactNode
}

/** A step with what to do. What is done is one line. */
function Step({ name, isDone, isNext, children }: StepProps) {
  const account = useMe().user?.accountId ?? ''
  const { title, text, action } = FIRST_STEPS[name]
  const Icon = isDone ? CircleCheck : Circle
  return (
    <li className="flex flex-wrap items-start gap-x-3 gap-y-2 px-4 py-2.5 not-last:border-b">
      <Icon
        className={cx('mt-0.5 size-4 shrink-0', isDone ? 'text-good' : 'text-ink-faint')}
        aria-label={isDone ? 'Done' : 'To do'}
        role="img"
      />
      <div className="min-w-0 flex-1">
        <p className={isDone ? 'text-ink-faint' : 'font-medium'}>{title}</p>
        {!isDone && <p className="text-xs text-ink-faint">{text}</p>}
        {!isDone && children}
      </div>
      {!isDone && action && (
        <ButtonLink
          to={action.to.replace('$account', account)}
          look={isNext ? 'primary' : 'secondary'}
        >
          {action.label}
        </ButtonLink>
      )}
    </li>
  )
}

/** Sends a mail to the reader, and shows what became of it. */
function TestMail({ mail }: Pick<CheckList, 'mail'>) {
  const me = useMe()
  const send = useChange(() => api.post(`${PATH}/test-mail`), { touches: [PATH] })
  const { missingSettings, askedAt, failure } = mail
  if (missingSettings.length > 0) {
    return (
      <p className="mt-1 text-xs text-ink-soft">
        This server cannot send mails yet. Set <Names of={missingSettings} /> and start it again.
        Until then Placard shows you invitation links to pass on yourself.
      </p>
    )
  }
  return (
    <div className="mt-2 flex flex-wrap items-center gap-2">
      <Button
        isBusy={send.isPending}
        onClick={() => send.mutate(undefined, { onError: notifyProblem })}
      >
        Send a test mail to {me.user?.email ?? 'you'}
      </Button>
      <span role="status" className={failure ? 'text-xs text-bad' : 'text-xs text-ink-faint'}>
        {failure ? `It was not sent: ${failure}` : askedAt && 'Sent. Waiting for the mail server …'}
      </span>
    </div>
  )
}

const Names = ({ of }: { readonly of: readonly string[] }) =>
  of.map((name, place) => (
    <span key={name}>
      {place > 0 && (place === of.length - 1 ? ' and ' : ', ')}
      <code className="font-mono">{name}</code>
    </span>
  ))

/** The tag of the newest placement, once there is one. */
function TagToCopy() {
  const placements = useRead<PageOf<Placement>>('/admin/placements', { query: { limit: 1 } })
  const placement = placements.data?.items[0]
  if (!placement) return null
  return (
    <div className="mt-2 max-w-2xl">
      <PlacementTag placement={placement} />
    </div>
  )
}

/** A campaign needs a banner, which has a page of its own. */
const ToBanner = () => (
  <div className="mt-2">
    <ButtonLink to="/creatives/new">New banner</ButtonLink>
  </div>
)
