import { describe } from 'vitest'
import { dedupeRules } from './contract/dedupe.ts'
import { enqueueRules, payloadRules } from './contract/enqueue.ts'
import { deadLetterRules, failureRules } from './contract/failure.ts'
import type { OpenFleet } from './contract/kit.ts'
import { scheduleRules, timeRules } from './contract/time.ts'
import { listRules, observerRules, stopRules, workRules } from './contract/work.ts'

const groups = {
  enqueue: enqueueRules,
  payload: payloadRules,
  dedupe: dedupeRules,
  failure: failureRules,
  'dead letters': deadLetterRules,
  time: timeRules,
  schedule: scheduleRules,
  work: workRules,
  list: listRules,
  stop: stopRules,
  observer: observerRules,
}

/** What every adapter of `Jobs` must do: one suite, run by each adapter's test. */
export function jobsContract(adapter: string, openFleet: OpenFleet): void {
  for (const [group, rules] of Object.entries(groups)) {
    describe(`${adapter}: ${group}`, () => {
      rules(openFleet)
    })
  }
}
