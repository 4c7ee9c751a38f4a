import { bindJob } from '../../platform/jobs/job.ts'
import { backgroundWork, type CapabilityModule, type ProcessBase } from '../../platform/module.ts'
import { judgeAgentsJob, stepAgentsJob, trimAgentsJob } from './jobs.ts'
import { observeLearners } from './metrics.ts'
import { CLICKS, CONVERSIONS } from './models/evidence.ts'
import { startLearner } from './models/learner.ts'

export const LEARNING_JOBS = [stepAgentsJob, judgeAgentsJob, trimAgentsJob]

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
