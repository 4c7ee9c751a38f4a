import { Ban, ShieldQuestion } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { useChange } from '../../api/hooks.ts'
import { useMay } from '../../api/me.ts'
import { When } from '../../ui/amounts.tsx'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { sayCount, sayWord } from '../../ui/format.ts'
import { EmptyState } from '../../ui/states.tsx'
import { tell, tellProblem } from '../../ui/toast.tsx'
import { type GeoProfile, sayCountry } from './timeline.ts'

type Action = GeoProfile['block_actions'][number]

const STATES: Readonly<Record<Action['state'], readonly [words: string, tone: Tone]>> = {
  skipped_shadow: ['Only noted: blocking was off', 'info'],
  awaiting_review: ['Waits for a person', 'warn'],
  requested: ['Being blocked', 'info'],
  succeeded: ['Blocked', 'bad'],
  failed: ['Could not be blocked', 'bad'],
  dismissed: ['Dismissed', 'neutral'],
}
const OPEN = new Set<Action['state']>(['awaiting_review', 'skipped_shadow', 'failed'])

/** Sessions that looked wrong, and what became of them. */
export function BlockActions({ actions }: { readonly actions: readonly Action[] }) {
  return (
    <Card
      title="Sessions that looked wrong"
      hint="Two devices at the same time in countries that are far apart"
      isFlush
    >
      {actions.length === 0 && (
        <EmptyState
          icon={ShieldQuestion}
          title="None"
          text="No session of this person looked wrong."
        />
      )}
      <ul>
        {actions.map((action) => (
          <ActionRow key={action.id} action={action} />
        ))}
      </ul>
    </Card>
  )
}

function ActionRow({ action }: { readonly action: Action }) {
  const canAct = useMay()('geo:write')
  const [isAsked, setAsked] = useState(false)
  const turn = useChange(
    (how: 'block' | 'dismiss') => api.post(`/internal/block-actions/${action.id}/${how}`),
    {
      touches: ['/internal', '/admin/sessions'],
    },
  )
  const { target, against } = action.evidence
  const [words, tone] = STATES[action.state]
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 px-4 py-3 not-last:border-b">
      <div className="min-w-0 flex-1 basis-72">
        <p className="flex flex-wrap items-center gap-2">
          <Badge tone={tone}>{words}</Badge>
          <span className="font-medium">{sayWord(action.reason_code)}</span>
          <span className="text-xs text-ink-faint">
            <When at={action.created_at} />
          </span>
        </p>
        <p className="mt-1 text-ink-soft">
          Session <span className="font-mono text-xs">{action.device_session_id.slice(-12)}</span>{' '}
          was in {sayCountry(target.observed_country)} ({sayCount(target.observations)} times) while
          another was in {sayCountry(against.observed_country)} ({sayCount(against.observations)}).
        </p>
        {action.last_error && <p className="text-bad">{action.last_error}</p>}
      </div>
      {canAct && OPEN.has(action.state) && (
        <span className="flex gap-2">
          <Button
            onClick={() =>
              turn.mutate('dismiss', {
                onSuccess: () => tell('Dismissed'),
                onError: tellProblem,
              })
            }
          >
            Dismiss
          </Button>
          <Button look="danger" icon={Ban} onClick={() => setAsked(true)}>
            Block
          </Button>
        </span>
      )}
      <Confirm
        title="Block this session?"
        text="The person is signed out on that device and told so. Other devices go on."
        action="Block it"
        isDangerous
        isBusy={turn.isPending}
        error={turn.error}
        isOpen={isAsked}
        onClose={() => setAsked(false)}
        onConfirm={() => turn.mutate('block', { onSuccess: () => setAsked(false) })}
      />
    </li>
  )
}
