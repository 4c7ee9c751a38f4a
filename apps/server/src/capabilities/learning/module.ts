import { bindJob } from '../../platform/jobs/job.ts'
import {
  backgroundWork,
  type CapabilityModule,
  type ProcessBase,
  routeGroup,
} from '../../platform/module.ts'
import type { ResourceDeps } from '../../platform/resources/index.ts'
import type { Switches } from '../../platform/switches/view.ts'
import type { BudgetBook } from '../budgets/index.ts'
import { getCampaign } from '../campaigns/index.ts'
import type { Catalogue } from '../decisions/index.ts'
import { AgentTerms, followBidAgents } from './agents/bid-agents.ts'
import { judgeAgentsJob, stepAgentsJob, trimAgentsJob } from './jobs.ts'
import { observeLearners } from './metrics.ts'
import { adoptModels } from './models/adopter.ts'
import { CLICKS, CONVERSIONS } from './models/evidence.ts'
import { startLearner } from './models/learner.ts'
import { ClickPredictor } from './models/predictor.ts'
import { learningRoutes } from './routes.ts'

export const LEARNING_JOBS = [stepAgentsJob, judgeAgentsJob, trimAgentsJob]

/** Routes that show and set how a campaign's bids are made. */
export const learningApi = (deps: Pick<ProcessBase, keyof ResourceDeps>): CapabilityModule => ({
  name: 'learning',
  routes: [routeGroup('/api/v1/admin', learningRoutes, { ...deps, getCampaign })],
})

/** What decisions read from learning. */
export interface Learned {
  readonly scorer: ClickPredictor
  /** Wraps the budget book for the catalogue. */
  readonly terms: AgentTerms
}

export const learnedFor = (book: BudgetBook): Learned => ({
  scorer: new ClickPredictor(),
  terms: new AgentTerms(book),
})

export interface LearningServingDeps extends Pick<ProcessBase, 'db' | 'clock' | 'timers'>, Learned {
  readonly catalogue: Pick<Catalogue, 'index' | 'content'>
  readonly switches: Switches
}

/** Keeps the catalogue on the newest model, and applies bid agents on this node. */
export async function learningServing(deps: LearningServingDeps): Promise<CapabilityModule> {
  const { catalogue, scorer } = deps
  const models = adoptModels({ ...deps, predictor: scorer })
  await models.onReload()
  await using opening = new AsyncDisposableStack()
  const agents = followBidAgents({ ...deps, index: catalogue.index })
  opening.defer(() => agents.stop())
  await agents.subscriber.onReload()
  opening.move()
  return {
    name: 'learning',
    followers: [models, agents.subscriber],
    stop: async () => agents.stop(),
  }
}

export type LearningWorkerDeps = Pick<
  ProcessBase,
  'db' | 'clock' | 'random' | 'ids' | 'audit' | 'timers' | 'log' | 'metrics'
>

/** Trains one model per kind of event, and lets bid agents act and be judged. */
export function learningWorker(deps: LearningWorkerDeps): CapabilityModule {
  const { db, clock, timers } = deps
  return {
    name: 'learning',
    jobs: [
      bindJob(stepAgentsJob, deps, '*/15 * * * *'),
      bindJob(judgeAgentsJob, deps, '9 * * * *'),
      bindJob(trimAgentsJob, { db, clock }, '23 5 * * *'),
    ],
    ...backgroundWork((running) => {
      const observerOf = observeLearners({ ...deps, registry: deps.metrics })
      for (const lessons of [CLICKS, CONVERSIONS]) {
        const observer = observerOf(lessons.evidence)
        const learner = startLearner({ db, clock, timers, observer, lessons })
        running.defer(() => learner.stop())
      }
    }),
  }
}
