import { api } from '../../../api/client.ts'
import type { AdSet, Banner, Campaign } from '../../../api/types.ts'
import { readInstant, readMoney } from '../../../ui/format/format.ts'
import { moneyOrNull } from '../edit-campaign.tsx'
import { ruleOf } from '../rule-draft.ts'
import type { Draft } from './draft.ts'

/** What is created so far, so that a second attempt continues there. */
export interface Booked {
  campaignId?: string
  adSetId?: string
  done: number
}

export interface BookingStep {
  readonly label: string
  run(booked: Booked): Promise<unknown>
}

interface Facts {
  readonly zone: string
  readonly banners: readonly Banner[]
  readonly startsNow: boolean
}

/** The calls that create a campaign from a draft, in order. */
export function bookingSteps(draft: Draft, { zone, banners, startsNow }: Facts): BookingStep[] {
  return [
    {
      label: 'Create campaign',
      run: async (booked) => {
        const made = await api.post<Campaign>('/admin/campaigns', campaignOf(draft, zone))
        booked.campaignId = made.id
      },
    },
    ...draft.rules.map((rule) => ({
      label: 'Set audience',
      run: (booked: Booked) => api.post(at(booked, '/targeting-rules'), ruleOf(rule)),
    })),
    ...(draft.capTimes
      ? [
          {
            label: 'Set frequency cap',
            run: (booked: Booked) =>
              api.post('/admin/frequency/caps', {
                campaignId: booked.campaignId,
                maxImpressionsPerUser: Number(draft.capTimes),
                window: draft.capWindow,
              }),
          },
        ]
      : []),
    ...draft.placementIds.map((placementId) => ({
      label: 'Add placements',
      run: (booked: Booked) => api.post(at(booked, '/placements'), { placementId }),
    })),
    ...(banners.length > 0
      ? [
          {
            label: 'Create ad set',
            run: async (booked: Booked) => {
              const body = { campaignId: booked.campaignId, name: 'Everyone' }
              booked.adSetId = (await api.post<AdSet>('/admin/ad-sets', body)).id
            },
          },
        ]
      : []),
    ...banners.map(({ id, title }) => ({
      label: `Add ad “${title}”`,
      run: (booked: Booked) =>
        api.post('/admin/ads', {
          adSetId: booked.adSetId,
          bannerId: id,
          name: title,
          bidMicros: readMoney(draft.bid) ?? draft.bid,
        }),
    })),
    ...(startsNow ? [startStep(draft)] : []),
  ]
}

const at = (booked: Booked, rest: string) => `/admin/campaigns/${booked.campaignId}${rest}`

const startStep = ({ startsAt }: Draft): BookingStep => ({
  label: startsAt ? 'Schedule campaign' : 'Start campaign',
  run: ({ campaignId }) =>
    api.post(`/admin/campaigns/${campaignId}/${startsAt ? 'schedule' : 'activate'}`),
})

const campaignOf = (draft: Draft, zone: string) => ({
  advertiserId: draft.advertiserId,
  name: draft.name,
  source: 'sponsored',
  objective: draft.objective,
  pricing: draft.pricing,
  pacingStrategy: draft.pacing,
  budgetDailyMicros: moneyOrNull(draft.budgetDaily),
  maxBidMicros: moneyOrNull(draft.bid) ?? '0',
  targetCpaMicros: draft.pricing === 'cpc' ? moneyOrNull(draft.targetCpa) : null,
  startsAt: readInstant(draft.startsAt, zone),
  endsAt: readInstant(draft.endsAt, zone),
})

/** Runs the steps one after the other. Throws a step's error, and remembers the completed steps. */
export async function book(
  steps: readonly BookingStep[],
  booked: Booked,
  tellProgress: (done: number) => void,
): Promise<Booked> {
  for (const [place, step] of steps.entries()) {
    if (place < booked.done) continue
    await step.run(booked)
    booked.done = place + 1
    tellProgress(booked.done)
  }
  return booked
}
