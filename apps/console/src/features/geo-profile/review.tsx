import { Check, X } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { useChange } from '../../api/hooks.ts'
import { useMay } from '../../api/me.ts'
import { When } from '../../ui/format/amounts.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { FormDialog } from '../../ui/forms/form-dialog.tsx'
import { AreaField, SelectField, TextField } from '../../ui/forms/fields.tsx'
import { useForm } from '../../ui/forms/form.ts'
import { saySharePercent } from '../../ui/format/format.ts'
import { Decide } from './decide.tsx'
import { APPLY_REASONS, DISMISS_REASONS } from './reasons.ts'
import { type GeoProfile, sayCountry } from './timeline.ts'

interface ReviewProps {
  readonly userId: string
  readonly profile: GeoProfile
}

const TOUCHED = ['/internal', '/admin/users']

/** The recommended review, its evidence, and the decisions on it. */
export function Review({ userId, profile }: ReviewProps) {
  const canAct = useMay()('geo:write')
  const [opened, setOpened] = useState<'apply' | 'dismiss'>()
  const close = () => setOpened(undefined)
  const { review, declared_country: declared } = profile
  const { evidence, evidence_now: now } = review
  return (
    <Card
      title="Review"
      actions={
        canAct && (
          <>
            {review.country_review_recommended && (
              <Button icon={X} onClick={() => setOpened('dismiss')}>
                Dismiss
              </Button>
            )}
            <Button icon={Check} look="primary" onClick={() => setOpened('apply')}>
              Change country
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
          <Badge tone="warn">Review recommended</Badge>
        ) : (
          <Badge tone="good">No review needed</Badge>
        )}
        {review.since && (
          <span className="text-xs text-ink-faint">
            since <When at={review.since} />
          </span>
        )}
        {review.snoozed_until && (
          <span className="text-xs text-ink-faint">
            snoozed until <When at={review.snoozed_until} isExact />
          </span>
        )}
      </p>
      {evidence && (
        <p className="mt-2 text-ink-soft">
          {saySharePercent(evidence.candidate_share, 0)} of the connections come from{' '}
          <strong>{sayCountry(evidence.candidate_country)}</strong> and{' '}
          {saySharePercent(evidence.declared_share, 0)} from the declared country, on{' '}
          {evidence.evidence_days} days. That was when the review was recommended.
        </p>
      )}
      {now && (
        <p className="mt-1 text-ink-soft">
          Now: {saySharePercent(now.declared_share, 0)} come from the declared country
          {now.candidate_country && (
            <>
              {' '}
              and {saySharePercent(now.candidate_share, 0)} from{' '}
              <strong>{sayCountry(now.candidate_country)}</strong>
            </>
          )}
          , on {now.evidence_days} days of the last thirty.
        </p>
      )}
      {opened === 'apply' && (
        <ApplyCountry
          userId={userId}
          country={evidence?.candidate_country ?? declared ?? ''}
          onClose={close}
        />
      )}
      {opened === 'dismiss' && (
        <Decide
          title="Dismiss the review?"
          about="The declared country stays. No new review is recommended for 30 days."
          action="Dismiss review"
          done="The review is dismissed for 30 days."
          reasons={DISMISS_REASONS}
          decide={(grounds) => api.post(`/internal/users/${userId}/review/dismiss`, grounds)}
          onClose={close}
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
    { touches: TOUCHED },
  )
  const { values, field } = useForm(
    { country, reason_code: APPLY_REASONS[0]!.value, comment: '' },
    apply.error,
  )
  return (
    <FormDialog
      title="Change declared country"
      about="The change is recorded with your name and reason, then sent to the user service."
      action="Change country"
      of={apply}
      onSubmit={() => {
        const { comment, ...rest } = values
        apply.mutate({ ...rest, ...(comment && { comment }) }, { onSuccess: onClose })
      }}
      onClose={onClose}
    >
      <TextField
        label="Country"
        hint={sayCountry(/^[A-Z]{2}$/.test(values.country) ? values.country : null)}
        required
        maxLength={2}
        {...field('country')}
        onValue={(text) => field('country').onValue(text.toUpperCase())}
      />
      <SelectField label="Reason" {...field('reason_code')} options={APPLY_REASONS} />
      <AreaField label="Comment" isOptional {...field('comment')} />
    </FormDialog>
  )
}
