import { Type } from 'typebox'
import { Instant, MicrosText, nullable, oneOf, strict, Uuid } from '../shared.ts'

const POLICIES = ['fixed', 're-solve', 'dqn', 'dqn-seed', 'tcpa'] as const
const Share = Type.Number({ description: 'From 0 to 1' })
const Multiplier = Type.Number({
  description:
    '1 leaves the bid as booked; of `tcpa` it multiplies the target instead: bid = target × multiplier × predicted conversion rate',
})
const Lift = Type.Number({
  description:
    'Factor on the rank of a bid, not on its price; above 1 only while the campaign is behind its plan',
})

export const LearningParams = Type.Object({ campaignId: Uuid })
export const LearningQuery = strict({
  day: Type.Optional(
    Type.String({
      format: 'date',
      description: "A budget day in the advertiser's zone; default: today",
    }),
  ),
})

export const SetPolicyBody = strict({
  policy: Type.Enum([...POLICIES], {
    examples: ['fixed'],
    description:
      'The policy to reach. A lower policy takes effect at once; a higher one must pass the gate first.',
  }),
})

const Window = Type.Object({
  window: Type.Integer({ description: 'Quarter of an hour of the budget day, from 0' }),
  startsAt: Instant,
  requests: Type.Integer({ description: "Requests for the campaign's placements" }),
  wins: Type.Integer(),
  clicks: Type.Integer(),
  value: Type.Number({
    description:
      'Predicted clicks of the impressions won; predicted purchases with a target, impressions if the campaign pays per mille',
  }),
  expectedMicros: Type.String({ description: 'Expected cost of the wins' }),
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
  days: Type.Integer({ description: 'Past days replayed' }),
  gain: nullable(
    Type.Number({
      description:
        'Gain over the base, as a fraction of its value; `low` and `high` are its bounds',
    }),
  ),
  low: nullable(Type.Number()),
  high: nullable(Type.Number()),
  minutes: nullable(
    Type.Integer({ description: 'Minutes of yesterday in which the policy on trial bid and won' }),
  ),
  liveGain: nullable(
    Type.Number({
      description: "Value per spend in those minutes, relative to the base's minutes",
    }),
  ),
  liveLow: nullable(Type.Number()),
  liveHigh: nullable(Type.Number()),
  move: oneOf(['start', 'up', 'stay', 'roll-back', 'promote']),
  shareBefore: Share,
  shareAfter: Share,
  words: Type.String({ description: 'Finding and decision, as a sentence' }),
})

const TargetCost = Type.Object(
  {
    targetMicros: MicrosText,
    costMicros: nullable(
      MicrosText,
      'What a purchase has cost on average in that time; null without a purchase',
    ),
    spentMicros: MicrosText,
    purchases: Type.Number({ description: 'A purchase that campaigns share counts in part' }),
    correction: Type.Number({
      description: 'Purchases that came over those that were predicted; bids aim lower below 1',
    }),
    days: Type.Integer({ description: 'How many days that are, up to yesterday' }),
  },
  { description: 'Cost per purchase against the campaign’s target' },
)

export const CampaignLearning = Type.Object({
  campaignId: Uuid,
  policy: Type.Enum([...POLICIES], { description: 'The policy to reach' }),
  isActing: Type.Boolean({
    description: 'True while a learned policy bids at least part of the time',
  }),
  why: Type.String({ description: 'Why this policy is acting, as a sentence' }),
  base: Type.Enum([...POLICIES], {
    description: 'The policy that bids whenever the trial does not',
  }),
  baseMultiplier: Multiplier,
  baseLift: Lift,
  trial: nullable(oneOf(POLICIES)),
  trialMultiplier: nullable(Multiplier),
  trialLift: nullable(Lift),
  brake: nullable(
    Type.Object(
      { day: Type.String({ format: 'date' }), micros: MicrosText },
      { description: 'Spend allowed today until the agent’s next step' },
    ),
  ),
  share: Type.Number({ description: 'Share of minutes in which the policy on trial bids' }),
  multiplierMax: nullable(
    Type.Number({
      description: "Highest multiplier that the campaign's maximum bid allows; null without ads",
    }),
  ),
  target: nullable(TargetCost, 'Null without `targetCpaMicros` on the campaign'),
  steppedAt: nullable(Instant),
  judgedAt: nullable(Instant),
  day: Type.String({ format: 'date' }),
  windows: Type.Array(Window, { description: 'Quarter-hours of today, oldest first' }),
  judgements: Type.Array(Judgement, { description: 'Decisions of the gate, newest first' }),
})

const Figures = Type.Object({
  verdict: Type.String({ description: '`sound`, `too-early`, or the fault found' }),
  clicks: nullable(Type.Number({ description: 'Recent clicks that the verdict is based on' })),
  normalisedEntropy: nullable(
    Type.Number({ description: 'Below 1, the model predicts better than the average click rate' }),
  ),
  predictedOverActual: nullable(Type.Number()),
  calibrationError: nullable(Type.Number()),
})

export const ClickModels = Type.Object({
  items: Type.Array(
    Type.Object({
      evidence: oneOf(['click', 'conversion']),
      version: Type.Integer(),
      lessons: Type.Integer({ description: 'Valid events the model has learned from' }),
      isActing: Type.Boolean({
        description: 'If false, click rates come from the table of observed rates',
      }),
      why: Type.String({ description: 'The reason, as a sentence' }),
      figures: Figures,
      placementTypes: Type.Array(
        Type.Object({ placementType: Type.String(), ...Figures.properties }),
      ),
      updatedAt: Instant,
    }),
  ),
})
