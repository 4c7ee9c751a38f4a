import * as contract from '@placard/contract/learning'
import { maySpeak } from '@placard/learning'
import { runCommand } from '../../platform/http/command.ts'
import type { Http } from '../../platform/http/server.ts'
import { actorOf } from '../../platform/resources/index.ts'
import type { Figures } from './models/learned.ts'
import {
  getLearning,
  type LearningDeps,
  listModels,
  setPolicy,
  type ShownLearning,
  type ShownModel,
} from './operations.ts'
import type { WindowRow } from './agents/store-windows.ts'

/** Models and bid agents; under `/api/v1/admin`. */
export function learningRoutes(http: Http, deps: LearningDeps): void {
  getRoute(http, deps)
  setRoute(http, deps)
  modelsRoute(http, deps)
}

function getRoute(http: Http, deps: LearningDeps): void {
  http.get(
    '/learning/campaigns/:campaignId',
    {
      config: { access: 'campaigns:read' },
      schema: {
        operationId: 'getCampaignLearning',
        summary: "Get a campaign's bid policy, its multipliers of the day and the gate's decisions",
        tags: ['learning'],
        params: contract.LearningParams,
        querystring: contract.LearningQuery,
        response: { 200: contract.CampaignLearning },
      },
    },
    async (request) =>
      presentLearning(
        await getLearning(deps, actorOf(request), { ...request.params, ...request.query }),
      ),
  )
}

function setRoute(http: Http, deps: LearningDeps): void {
  http.put(
    '/learning/campaigns/:campaignId',
    {
      config: { access: 'campaigns:write' },
      schema: {
        operationId: 'setCampaignPolicy',
        summary: 'Set the bid policy that a campaign aims at',
        description:
          '`fixed` bids as booked. `re-solve` spends the budget in step with the traffic. `dqn` adds a neural network to that; with `dqn-seed` a network alone moves the bid. `tcpa` bids what a purchase may cost × its predicted rate; it needs `targetCpaMicros` on the campaign, and is then the aim unless you choose `fixed`. A learned policy gets traffic only if replayed days show that it is at least as good.',
        tags: ['learning'],
        params: contract.LearningParams,
        body: contract.SetPolicyBody,
        response: { 200: contract.CampaignLearning },
      },
    },
    (request, reply) =>
      runCommand(deps, { request, reply }, async (db) => {
        const wish = { ...request.params, ...request.body }
        const learning = await setPolicy({ ...deps, db }, actorOf(request), wish)
        return { status: 200, body: presentLearning(learning) }
      }),
  )
}

function modelsRoute(http: Http, deps: LearningDeps): void {
  http.get(
    '/learning/models',
    {
      config: { access: 'decisions:read' },
      schema: {
        operationId: 'readClickModels',
        summary: 'Get how well clicks and conversions are predicted, and whether a model is used',
        tags: ['learning'],
        response: { 200: contract.ClickModels },
      },
    },
    async () => ({ items: (await listModels(deps.db)).map(presentModel) }),
  )
}

function presentLearning({ agent, windows, judgements, ...learning }: ShownLearning) {
  const { state } = agent
  return {
    campaignId: learning.campaignId,
    policy: state.aim,
    isActing: learning.isActing,
    why: learning.why,
    base: state.base,
    baseMultiplier: agent.baseMultiplier,
    baseLift: agent.baseLift,
    trial: state.trial ?? null,
    trialMultiplier: state.trial === undefined ? null : agent.trialMultiplier,
    share: state.share,
    trialLift: state.trial === undefined ? null : agent.trialLift,
    multiplierMax: learning.multiplierMax,
    target: learning.target,
    brake: agent.brake ? { day: agent.brake.day, micros: String(agent.brake.micros) } : null,
    steppedAt: agent.steppedAt?.toISOString() ?? null,
    judgedAt: agent.judgedAt?.toISOString() ?? null,
    day: learning.day,
    windows: windows.map(presentWindow),
    judgements: judgements.map((one) => ({ ...one, judgedAt: one.judgedAt.toISOString() })),
  }
}

const presentWindow = (window: WindowRow) => ({
  ...window,
  startsAt: window.startsAt.toISOString(),
  expectedMicros: String(window.expectedMicros),
  chargedMicros: String(window.chargedMicros),
  multiplier:
    (1 - window.share) * window.baseMultiplier +
    window.share * (window.trial === undefined ? window.baseMultiplier : window.trialMultiplier),
  trial: window.trial ?? null,
  trialMultiplier: window.trial === undefined ? null : window.trialMultiplier,
  trialLift: window.trial === undefined ? null : window.trialLift,
})

function presentModel(model: ShownModel) {
  const { all, types } = model.figures
  const isSound = maySpeak(all.verdict)
  return {
    evidence: model.evidence,
    version: model.version,
    lessons: model.lessons,
    isActing: model.isOn && (model.evidence === 'click' ? isSound : model.verdict === 'sound'),
    why: whyModel(model, isSound),
    figures: presentFigures(all),
    placementTypes: Object.entries(types).map(([placementType, figures]) => ({
      placementType,
      ...presentFigures(figures),
    })),
    updatedAt: model.updatedAt.toISOString(),
  }
}

function whyModel({ evidence, isOn, verdict }: ShownModel, isSound: boolean): string {
  if (evidence === 'conversion') return whyConversions({ isOn, verdict })
  if (!isOn) return 'All learning is switched off: click rates come from the table.'
  if (!isSound) return `The model is off (${verdict}): click rates come from the table.`
  return verdict === 'sound'
    ? 'The model is sound and acts.'
    : 'The model acts; it has too few clicks of late to be judged.'
}

function whyConversions({ isOn, verdict }: Pick<ShownModel, 'isOn' | 'verdict'>): string {
  if (!isOn) return 'All learning is switched off: no campaign bids by its target.'
  if (verdict === 'too-early') {
    return 'It has too few purchases to be judged: no campaign bids by its target.'
  }
  return verdict === 'sound'
    ? 'The model is sound: campaigns with a target cost per action bid by it, once the gate lets them.'
    : `The model is off (${verdict}): campaigns with a target bid as booked.`
}

/** Without a recent click there is no ratio. */
const presentFigures = ({ verdict, ...figures }: Figures) => ({
  verdict,
  clicks: finite(figures.clicks),
  normalisedEntropy: finite(figures.normalisedEntropy),
  predictedOverActual: finite(figures.predictedOverActual),
  calibrationError: finite(figures.calibrationError),
})

const finite = (value: number | null): number | null =>
  value !== null && Number.isFinite(value) ? value : null
