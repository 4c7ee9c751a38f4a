import { Counter, Gauge, type Registry } from 'prom-client'
import type { LearnerObserver } from './models/learner.ts'
import type { Evidence } from './models/store-models.ts'

interface ObserverDeps {
  readonly registry: Registry
  readonly log: { warn(fields: object, message: string): void }
}

/** One observer per kind of evidence, over the same metrics. */
export function observeLearners({
  registry,
  log,
}: ObserverDeps): (evidence: Evidence) => LearnerObserver {
  const labelNames = ['evidence'] as const
  const lessons = new Counter({
    name: 'placard_learning_lessons_total',
    help: 'Valid events that a model has learned from',
    labelNames,
    registers: [registry],
  })
  const isOff = new Gauge({
    name: 'placard_learning_model_off',
    help: '1 while a model is found off and its prior answers',
    labelNames,
    registers: [registry],
  })
  return (evidence) => {
    isOff.set({ evidence }, 0)
    return {
      learned: (count) => lessons.inc({ evidence }, count),
      judged({ before, after }) {
        isOff.set({ evidence }, after === 'sound' || after === 'too-early' ? 0 : 1)
        log.warn({ evidence, before, after }, 'a model was judged')
      },
      broken: () =>
        log.warn({ evidence }, 'a kept model has numbers that are none: it starts anew'),
      failed: (error) => log.warn({ evidence, err: error }, 'a model could not learn'),
    }
  }
}
