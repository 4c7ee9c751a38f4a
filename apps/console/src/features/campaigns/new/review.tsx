import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { CircleCheck, Rocket, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { Meter } from '../../../ui/figures/meter.tsx'
import { ProblemNote } from '../../../ui/layout/states.tsx'
import { notify } from '../../../ui/overlays/toast.tsx'
import { book, type Booked, bookingSteps } from './book.ts'
import { checkDraft, type Draft } from './draft.ts'
import type { BookingWorld } from './world.ts'

/** The checks and warnings, and the button that creates the campaign. */
export function Review({ draft, world }: { readonly draft: Draft; readonly world: BookingWorld }) {
  const navigate = useNavigate()
  const client = useQueryClient()
  const [booked] = useState<Booked>({ done: 0 })
  const [done, setDone] = useState(0)
  const banners = world.banners.filter(({ id }) => draft.bannerIds.includes(id))
  const placements = world.placements.filter(({ id }) => draft.placementIds.includes(id))
  const checks = checkDraft(draft, {
    banners,
    placements,
    currency: world.advertiser?.currency ?? '',
  })
  const zone = world.advertiser?.timeZone ?? 'UTC'
  const booking = useMutation({
    mutationFn: (startsNow: boolean) =>
      book(bookingSteps(draft, { zone, banners, startsNow }), booked, setDone),
    onSuccess: async ({ campaignId }, startsNow) => {
      await client.invalidateQueries()
      notify(
        `“${draft.name}” is ${startsNow ? (draft.startsAt ? 'scheduled' : 'running') : 'saved as a draft'}.`,
      )
      await navigate({ to: `/campaigns/${campaignId}` })
    },
  })
  const steps = bookingSteps(draft, { zone, banners, startsNow: true })
  return (
    <>
      <ul className="flex flex-col gap-2">
        {checks.map(({ isGood, text }) => (
          <li key={text} className="flex items-start gap-2">
            {isGood ? (
              <CircleCheck className="mt-0.5 size-4 shrink-0 text-good" aria-label="OK" />
            ) : (
              <TriangleAlert className="mt-0.5 size-4 shrink-0 text-warn" aria-label="Warning" />
            )}
            {text}
          </li>
        ))}
      </ul>
      {booking.isPending && (
        <div aria-live="polite">
          <p className="mb-1.5 text-ink-soft">{steps[done]?.label} …</p>
          <Meter label="Progress" share={done / steps.length} />
        </div>
      )}
      {booking.error && (
        <>
          <ProblemNote error={booking.error} />
          {booked.campaignId && (
            <p className="text-ink-soft">
              The campaign is saved as a draft. Fix the problem and continue, or{' '}
              <ButtonLink to={`/campaigns/${booked.campaignId}`} look="ghost">
                open the draft
              </ButtonLink>
            </p>
          )}
        </>
      )}
      <div className="flex flex-wrap gap-2">
        <Button
          look="primary"
          icon={Rocket}
          isBusy={booking.isPending}
          onClick={() => booking.mutate(true)}
        >
          {draft.startsAt ? 'Create and schedule' : 'Create and start'}
        </Button>
        <Button disabled={booking.isPending} onClick={() => booking.mutate(false)}>
          Save as draft
        </Button>
      </div>
    </>
  )
}
