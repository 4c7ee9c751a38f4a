import { Check, X } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { useChange } from '../../api/hooks.ts'
import { useMay } from '../../api/me.ts'
import { When } from '../../ui/amounts.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { AreaField, TextField } from '../../ui/fields.tsx'
import { useForm } from '../../ui/form.ts'
import { saySharePercent } from '../../ui/format.ts'
import { ProblemNote } from '../../ui/states.tsx'
import { tell, tellProblem } from '../../ui/toast.tsx'
import { type GeoProfile, sayCountry } from './timeline.ts'

interface ReviewProps {
  readonly userId: string
  readonly profile: GeoProfile
}

const TOUCHED = ['/internal']

/** What the guard recommends, why, and what a person makes of it. */
export function Review({ userId, profile }: ReviewProps) {
  const canAct = useMay()('geo:write')
  const [isApplying, setApplying] = useState(false)
  const { review, declared_country: declared } = profile
  const { evidence } = review
  const dismiss = useChange(() => api.post(`/internal/users/${userId}/review/dismiss`), {
    touches: TOUCHED,
  })
  return (
    <Card
      title="Review"
      actions={
        canAct && (
          <>
            {review.country_review_recommended && (
              <Button
                icon={X}
                isBusy={dismiss.isPending}
                onClick={() =>
                  dismiss.mutate(undefined, {
                    onSuccess: () => tell('Dismissed: it rests for a while'),
                    onError: tellProblem,
                  })
                }
              >
                Dismiss
              </Button>
            )}
            <Button icon={Check} look="primary" onClick={() => setApplying(true)}>
              Change the country
            </Button>
          </>
        )
      }
    >
      <p className="flex flex-wrap items-center gap-2">
        <span>
          Declared: <strong>{sayCountry(declared)}</strong>
        </span>
        {review.country_review_recommended ? (
          <Badge tone="warn">Should be looked at</Badge>
        ) : (
          <Badge tone="good">Nothing to do</Badge>
        )}
        {review.since && (
          <span className="text-xs text-ink-faint">
            since <When at={review.since} />
          </span>
        )}
        {review.snoozed_until && (
          <span className="text-xs text-ink-faint">
            rests until <When at={review.snoozed_until} isExact />
          </span>
        )}
      </p>
      {evidence && (
        <p className="mt-2 text-ink-soft">
          {saySharePercent(evidence.candidate_share, 0)} of the connections come from{' '}
          <strong>{sayCountry(evidence.candidate_country)}</strong> and{' '}
          {saySharePercent(evidence.declared_share, 0)} from the declared country, on{' '}
          {evidence.evidence_days} days.
        </p>
      )}
      {isApplying && (
        <ApplyCountry
          userId={userId}
          country={evidence?.candidate_country ?? declared ?? ''}
          onClose={() => setApplying(false)}
        />
      )}
    </Card>
  )
}

interface ApplyProps {
  readonly userId: string
  readonly country: string
  readonly onClose: () => void
}

function ApplyCountry({ userId, country, onClose }: ApplyProps) {
  const apply = useChange(
    (body: object) => api.post(`/internal/users/${userId}/declared-country`, body),
    { touches: [...TOUCHED, '/admin/users'] },
  )
  const { values, field } = useForm(
    { country, reason_code: 'review_confirmed', comment: '' },
    apply.error,
  )
  return (
    <Dialog
      title="Change the declared country"
      about="It is recorded with your name and reason, and then told to the accounts."
      isOpen
      onClose={onClose}
    >
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          const { comment, ...rest } = values
          apply.mutate({ ...rest, ...(comment && { comment }) }, { onSuccess: onClose })
        }}
      >
        <TextField
          label="Country"
          hint={sayCountry(/^[A-Z]{2}$/.test(values.country) ? values.country : null)}
          required
          maxLength={2}
          {...field('country')}
          onValue={(text) => field('country').onValue(text.toUpperCase())}
        />
        <TextField label="Reason" required {...field('reason_code')} />
        <AreaField label="Comment" isOptional {...field('comment')} />
        <ProblemNote error={apply.error} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Leave it</Button>
          <Button type="submit" look="primary" isBusy={apply.isPending}>
            Change it
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
