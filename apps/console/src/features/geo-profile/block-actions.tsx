import { Ban, LockOpen, ShieldQuestion } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { useMay } from '../../api/me.ts'
import { When } from '../../ui/format/amounts.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { sayCount, sayWord } from '../../ui/format/format.ts'
import { EmptyState } from '../../ui/layout/states.tsx'
import { BLOCK_STATES, type BlockDecision, decisionsOn } from './block-states.ts'
import { Decide, type Grounds } from './decide.tsx'
import { sayGround } from './grounds.ts'
import { BLOCK_REASONS, DISMISS_REASONS, sayReason, UNBLOCK_REASONS } from './reasons.ts'
import { type GeoProfile, sayCountry } from './timeline.ts'

type Action = GeoProfile['block_actions'][number]

/** A user's suspicious sessions, their outcome, and the decisions a person can make. */
export function BlockActions({ actions }: { readonly actions: readonly Action[] }) {
  return (
    <Card
      title="Suspicious sessions"
      hint="Two sessions active within hours of each other in two countries"
      isFlush
    >
      {actions.length === 0 && (
        <EmptyState
          icon={ShieldQuestion}
          title="No suspicious sessions"
          text="None of this user’s sessions looked suspicious."
        />
      )}
      <ul>
        {actions.map((action) => (
          <ActionRow key={action.id} action={action} decisions={decisionsOn(action, actions)} />
        ))}
      </ul>
    </Card>
  )
}

/** The figures the session was judged by, each with the rule's limit. */
function Grounds({ grounds }: { readonly grounds: Action['evidence']['grounds'] }) {
  if (grounds.length === 0) return null
  return (
    <details className="mt-1 text-xs text-ink-faint">
      <summary className="cursor-pointer">Why it looked suspicious</summary>
      <ul className="mt-1 list-disc pl-4">
        {grounds.map((ground) => (
          <li key={ground.name}>{sayGround(ground)}</li>
        ))}
      </ul>
    </details>
  )
}

const BUTTONS = {
  dismiss: {},
  block: { look: 'danger', icon: Ban },
  unblock: { icon: LockOpen },
} as const

interface ActionRowProps {
  readonly action: Action
  readonly decisions: readonly BlockDecision[]
}

function ActionRow({ action, decisions }: ActionRowProps) {
  const canAct = useMay()('geo:write')
  const [confirming, setConfirming] = useState<BlockDecision>()
  const decide = (grounds: Grounds) =>
    api.post(`/internal/block-actions/${action.id}/${confirming}`, grounds)
  const close = () => setConfirming(undefined)
  const { target, against } = action.evidence
  const [words, tone] = BLOCK_STATES[action.state]
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 px-4 py-3 not-last:border-b">
      <div className="min-w-0 flex-1 basis-72">
        <p className="flex flex-wrap items-center gap-2">
          <Badge tone={tone}>{words}</Badge>
          <span className="font-medium">{sayReason(action.reason_code)}</span>
          <span className="text-xs text-ink-faint">
            <When at={action.created_at} />
          </span>
        </p>
        <p className="mt-1 text-ink-soft">
          Session <span className="font-mono text-xs">{action.device_session_id.slice(-12)}</span>{' '}
          was in {sayCountry(target.observed_country)} ({sayCount(target.observations)} times) while
          another was in {sayCountry(against.observed_country)} ({sayCount(against.observations)}).
        </p>
        <Grounds grounds={action.evidence.grounds} />
        {action.last_error && <p className="text-bad">{action.last_error}</p>}
      </div>
      {canAct && (
        <span className="flex gap-2">
          {decisions.map((how) => (
            <Button key={how} {...BUTTONS[how]} onClick={() => setConfirming(how)}>
              {sayWord(how)}
            </Button>
          ))}
        </span>
      )}
      {confirming === 'unblock' && (
        <Decide
          title="Unblock this session?"
          about="The device works again where it was, and the session is not flagged again. If the user has signed in anew, both work."
          action="Unblock session"
          done="The session is being unblocked."
          reasons={UNBLOCK_REASONS}
          decide={decide}
          onClose={close}
        />
      )}
      {confirming === 'dismiss' && (
        <Decide
          title="Dismiss this session?"
          about="The session stays signed in and will not be flagged again."
          action="Dismiss session"
          done="The session is dismissed."
          reasons={DISMISS_REASONS}
          decide={decide}
          onClose={close}
        />
      )}
      {confirming === 'block' && (
        <Decide
          title="Block this session?"
          about="The user is signed out on that device and notified. Other devices stay signed in."
          action="Block session"
          done="The session is being blocked."
          isDangerous
          reasons={BLOCK_REASONS}
          decide={decide}
          onClose={close}
        />
      )}
    </li>
  )
}
