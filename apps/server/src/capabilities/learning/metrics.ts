import { Counter, Gauge, type Registry } from 'prom-client'
import type { LearnerObserver } from './learner.ts'

interface ObserverDeps {
  readonly registry: Registry
  readonly log: { warn(fields: object, message: string): void }
}

export function observeLearner({ registry, log }: ObserverDeps): LearnerObserver {
  const lessons = new Counter({
    name: 'placard_learning_lessons_total',
    help: 'Valid impressions that the click model has learned from',
    registers: [registry],
  })
  const isOff = new Gauge({
    name: 'placard_learning_model_off',
    help: '1 while the click model is found off and the table of rates answers',
    registers: [registry],
  })
  isOff.set(0)
  return {
    learned: (count) => lessons.inc(count),
    judged({ before, after }) {
      isOff.set(after === 'sound' || after === 'too-early' ? 0 : 1)
      log.warn({ before, after }, 'the click model was judged')
    },
    broken: () => log.warn({}, 'the kept click model has numbers that are none: it starts anew'),
    failed: (error) => log.warn({ err: error }, 'the click model could not learn'),
  }
}
