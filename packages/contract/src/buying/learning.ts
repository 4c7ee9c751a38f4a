import { Type } from 'typebox'
import { Instant, MicrosText, nullable, oneOf, strict, Uuid } from '../shared.ts'

const POLICIES = ['fixed', 're-solve', 'dqn', 'dqn-seed'] as const
const Share = Type.Number({ description: 'From 0 to 1' })
const Multiplier = Type.Number({ description: '1 is the bid as booked' })
const Lift = Type.Number({
  description: 'A bid ranks so many times higher than it pays: 1 unless the campaign is behind',
})

export const LearningParams = Type.Object({ campaignId: Uuid })
export const LearningQuery = strict({
  day: Type.Optional(
    Type.String({
      format: 'date',
      description: "A budget day, in the advertiser's zone; today unless told",
    }),
  ),
})

export const SetPolicyBody = strict({
  policy: Type.Enum([...POLICIES], {
    examples: ['re-solve'],
    description:
      'What the campaign aims at. A lower policy acts at once; a higher one has to pass the gate first.',
  }),
})

const Window = Type.Object({
  window: Type.Integer({ description: 'Quarter of an hour of the budget day, from 0' }),
  startsAt: Instant,
  requests: Type.Integer({ description: "Requests for the campaign's placements" }),
  wins: Type.Integer(),
  clicks: Type.Integer(),
  value: Type.Number({
    description: 'Predicted clicks won; showings where the campaign pays per mille',
  }),
  expectedMicros: Type.String({ description: 'What the wins should cost' }),
  chargedMicros: MicrosText,
  multiplier: Multiplier,
  base: oneOf(POLICIES),
  baseMultiplier: Multiplier,
  trial: nullable(oneOf(POLICIES)),
  trialMultiplier: nullable(Multiplier),
  baseLift: Lift,
  trialLift: nullable(Lift),
  share: Share,
})

const Judgement = Type.Object({
  judgedAt: Instant,
  policy: oneOf(POLICIES),
  base: oneOf(POLICIES),
  verdict: oneOf(['as-good', 'worse', 'undecided', 'too-few-days']),
  days: Type.Integer({ description: 'Past days that were replayed' }),
  gain: nullable(Type.Number({ description: "Of the base's value; `low` and `high` bound it" })),
  low: nullable(Type.Number()),
  high: nullable(Type.Number()),
  minutes: nullable(
    Type.Integer({ description: 'Minutes of yesterday in which the trial bid and won' }),
  ),
  liveGain: nullable(
    Type.Number({ description: "Value per spend in them, against the base's minutes" }),
  ),
  liveLow: nullable(Type.Number()),
  liveHigh: nullable(Type.Number()),
  move: oneOf(['start', 'up', 'stay', 'roll-back', 'promote']),
  shareBefore: Share,
  shareAfter: Share,
  words: Type.String({ description: 'What was found and decided, for people' }),
})

export const CampaignLearning = Type.Object({
  campaignId: Uuid,
  policy: Type.Enum([...POLICIES], { description: 'What the campaign aims at' }),
  isActing: Type.Boolean({ description: 'A learned policy bids now, at least part of the time' }),
  why: Type.String({ description: 'How it comes that this policy acts, for people' }),
  base: Type.Enum([...POLICIES], { description: 'Bids unless the trial does' }),
  baseMultiplier: Multiplier,
  baseLift: Lift,
  trial: nullable(oneOf(POLICIES)),
  trialMultiplier: nullable(Multiplier),
  trialLift: nullable(Lift),
  brake: nullable(
    Type.Object(
      { day: Type.String({ format: 'date' }), micros: MicrosText },
      { description: 'What may be spent of the day until the agent speaks again' },
    ),
  ),
  share: Type.Number({ description: 'Share of the minutes in which the trial bids' }),
  multiplierMax: nullable(
    Type.Number({ description: "What the campaign's maximum bid allows; null without ads" }),
  ),
  steppedAt: nullable(Instant),
  judgedAt: nullable(Instant),
  day: Type.String({ format: 'date' }),
  windows: Type.Array(Window, { description: 'The day so far, the first quarter first' }),
  judgements: Type.Array(Judgement, { description: 'What the gate decided, the newest first' }),
})

const Figures = Type.Object({
  verdict: Type.String({ description: 'sound, too-early, or what is wrong' }),
  clicks: nullable(Type.Number({ description: 'Of late' })),
  normalisedEntropy: nullable(Type.Number({ description: 'Below 1 the model knows something' })),
  predictedOverActual: nullable(Type.Number()),
  calibrationError: nullable(Type.Number()),
})

export const ClickModels = Type.Object({
  items: Type.Array(
    Type.Object({
      evidence: oneOf(['click', 'conversion']),
      version: Type.Integer(),
      lessons: Type.Integer({ description: 'Valid events it has learned from' }),
      isActing: Type.Boolean({ description: 'Off: click rates come from the table' }),
      why: Type.String({ description: 'For people' }),
      figures: Figures,
      placementTypes: Type.Array(
        Type.Object({ placementType: Type.String(), ...Figures.properties }),
      ),
      updatedAt: Instant,
    }),
  ),
})
