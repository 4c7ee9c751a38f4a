import { describeRule } from '@placard/contract/targeting-words'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { CircleCheck, Rocket } from 'lucide-react'
import { api } from '../../../api/client.ts'
import type { BookingFault, Campaign, CampaignCheck } from '../../../api/types.ts'
import { Button } from '../../../ui/button.tsx'
import { sayTypedMoney, sayWord } from '../../../ui/format/format.ts'
import { ProblemNote } from '../../../ui/layout/states.tsx'
import { notify } from '../../../ui/overlays/toast.tsx'
import { ruleOf } from '../rule-draft.ts'
import { bookingOf, type Draft } from './draft.ts'
import { FaultNotes } from './fault-notes.tsx'
import { DRAFTS } from './keep-draft.ts'
import type { StepProps } from './step.ts'
import { WINDOWS } from './step-audience.tsx'
import type { BookingWorld } from './world.ts'

interface ReviewProps extends StepProps {
  readonly faults: readonly BookingFault[]
  /** Saves what waits, and gives the draft that the booking takes with it. */
  readonly flush: () => Promise<string | undefined>
}

/** Everything that will be booked, also what was preset, what the server says, and the button. */
export function Review(props: ReviewProps) {
  const { draft, world, faults, pairs, onMend } = props
  const isReady = faults.every(({ severity }) => severity === 'advice' || severity === 'waits')
  return (
    <>
      <dl className="grid gap-x-6 gap-y-2 sm:grid-cols-[10rem_minmax(0,1fr)]">
        {linesOf(draft, world).map(([label, text]) => (
          <div key={label} className="contents">
            <dt className="text-ink-faint">{label}</dt>
            <dd className="min-w-0 break-words">{text}</dd>
          </div>
        ))}
      </dl>
      <Pairs pairs={pairs} />
      {isReady && (
        <p className="flex items-center gap-2 text-good">
          <CircleCheck className="size-4" aria-hidden /> Nothing keeps this campaign from running.
        </p>
      )}
      <FaultNotes faults={faults} currency={world.currency} onMend={onMend} />
      <Buttons {...props} isReady={isReady} />
    </>
  )
}

type Line = readonly [label: string, text: string]

function linesOf(draft: Draft, world: BookingWorld): Line[] {
  const { currency, zone } = world
  const money = (text: string) => (text ? sayTypedMoney(text, currency) : 'none')
  const per = draft.pricing === 'cpc' ? 'per click' : 'per 1,000 impressions'
  const window = WINDOWS.find(({ value }) => value === draft.capWindow)?.label
  const time = (text: string, none: string) => (text ? `${text.replace('T', ' ')} (${zone})` : none)
  return [
    ['Campaign', `${draft.name || 'Without a name'}, for ${world.advertiser?.name ?? 'nobody'}`],
    ['Objective', sayWord(draft.objective)],
    ['Maximum bid', `${money(draft.bid)} ${per}`],
    ...(draft.pricing === 'cpc' && draft.targetCpa
      ? [['Cost per purchase', `${money(draft.targetCpa)} on average`] as const]
      : []),
    ['Daily budget', money(draft.budgetDaily)],
    ['Total budget', money(draft.budgetTotal)],
    ['Booked', bookedOf(draft)],
    ['Pacing', draft.pacing === 'Smooth' ? 'Even over the day' : 'As fast as possible'],
    ['Starts', time(draft.startsAt, 'at once')],
    ['Ends', time(draft.endsAt, 'when you end it')],
    ['Audience', draft.rules.map((rule) => describeRule(ruleOf(rule))).join('; ') || 'everyone'],
    [
      'Per user',
      draft.capTimes ? `at most ${draft.capTimes} impressions per ${window}` : 'not limited',
    ],
    ['Creatives', listed(world.banners.map(({ title }) => title))],
    ['Placements', listed(world.placements.map(({ label }) => label))],
    ...(draft.placementWishes ? [['Asked for', draft.placementWishes] as const] : []),
  ]
}

const listed = (names: readonly string[]) => names.join(', ') || 'none'

const bookedOf = ({ impressionGoal, clickGoal }: Draft) =>
  [
    ...(impressionGoal ? [`${impressionGoal} impressions`] : []),
    ...(clickGoal ? [`${clickGoal} clicks`] : []),
  ].join(' and ') || 'no number of impressions or clicks'

const STATES = { fits: 'shown', waits: 'waits for approval', never: 'not shown' } as const

function sayPairs(pairs: CampaignCheck['pairs']): string {
  const counts = Map.groupBy(pairs, ({ state }) => state)
  const waiting = counts.get('waits')?.length ?? 0
  const fitting = pairs.length - (counts.get('never')?.length ?? 0)
  const said = `${fitting} of ${pairs.length} pairs of creative and placement fit`
  return waiting === 0 ? said : `${said}; ${waiting} of them wait for the site’s approval`
}

/** Which creative is shown on which placement. */
function Pairs({ pairs }: { readonly pairs: CampaignCheck['pairs'] }) {
  if (pairs.length === 0) return null
  return (
    <details className="rounded-md border px-3 py-2">
      <summary className="cursor-pointer font-medium">{sayPairs(pairs)}</summary>
      <ul className="mt-2 flex flex-col gap-1.5">
        {pairs.map(({ bannerId, placementId, bannerTitle, placementLabel, state, reasons }) => (
          <li key={`${bannerId} ${placementId}`}>
            “{bannerTitle}” on “{placementLabel}”:{' '}
            <span className={state === 'never' ? 'text-bad' : 'text-good'}>{STATES[state]}</span>
            {state === 'never' && (
              <span className="block text-xs text-ink-faint">
                {reasons.map(({ message }) => message).join(' ')}
              </span>
            )}
          </li>
        ))}
      </ul>
    </details>
  )
}

function Buttons({ draft, world, flush, isReady }: ReviewProps & { readonly isReady: boolean }) {
  const navigate = useNavigate()
  const client = useQueryClient()
  const booking = useMutation({
    mutationFn: async (starts: boolean) => {
      const draftId = (await flush()) ?? null
      const body = { ...bookingOf(draft, world), starts, draftId }
      return api.post<Campaign>('/admin/campaigns/book', body)
    },
    onSuccess: async ({ id, status }) => {
      notify(`“${draft.name}” is ${SAID[status] ?? status}.`)
      await navigate({ to: `/campaigns/${id}` })
      await client.invalidateQueries({ predicate: isThere })
    },
  })
  return (
    <>
      <ProblemNote error={booking.error} />
      <div className="flex flex-wrap gap-2">
        <Button
          look="primary"
          icon={Rocket}
          disabled={!isReady}
          isBusy={booking.isPending}
          onClick={() => booking.mutate(true)}
        >
          {draft.startsAt ? 'Create and schedule' : 'Create and start'}
        </Button>
        <Button disabled={booking.isPending} onClick={() => booking.mutate(false)}>
          Create without starting
        </Button>
      </div>
    </>
  )
}

/** The draft is gone: nobody reads it again. */
const isThere = ({ queryKey }: { readonly queryKey: readonly unknown[] }) =>
  !String(queryKey[0]).startsWith(`${DRAFTS}/`)

const SAID: Readonly<Record<string, string>> = {
  active: 'running',
  scheduled: 'scheduled',
  draft: 'booked, and waits for its start',
}
