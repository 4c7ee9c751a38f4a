import { expect, test } from 'vitest'
import type { Job, Jobs } from '../job.ts'
import {
  type Deps,
  eventually,
  expectDeadLetters,
  fail,
  gate,
  type JobsFleet,
  jobWith,
  type Name,
  type OpenFleet,
  order,
  workerOn,
} from './kit.ts'

export function failureRules(openFleet: OpenFleet) {
  test('a failing job is tried again, later each time, and then lies in the dead letters', async () => {
    const fleet = await openFleet()
    const { job, jobs, ran } = await workerOn(fleet, jobWith({ retries: 2 }), fail)
    const id = await jobs.enqueue(fleet.db, job, order('a'))

    await fleet.pass(
      await secondsToRetry(fleet, { jobs, job, id: id!, retries: 0, secondsMin: 10 }),
    )
    await fleet.pass(
      await secondsToRetry(fleet, { jobs, job, id: id!, retries: 1, secondsMin: 20 }),
    )

    const letters = await eventually(() => expectDeadLetters(jobs, 1))
    expect(letters[0]).toMatchObject({ job: job.name, payload: { name: 'a' }, reason: 'no luck' })
    expect(ran).toEqual(['a', 'a', 'a'])
    expect(await jobs.counts()).toMatchObject([{ waiting: 0, delayed: 0, active: 0, failed: 1 }])
  })

  test('the wait between two tries never passes its maximum', async () => {
    const fleet = await openFleet()
    const capped = jobWith({ retries: 1, backoff: { firstSeconds: 500, maxSeconds: 60 } })
    const { job, jobs, ran } = await workerOn(fleet, capped, fail)
    const id = await jobs.enqueue(fleet.db, job, order('a'))

    await fleet.pass(
      await secondsToRetry(fleet, { jobs, job, id: id!, retries: 0, secondsMin: 60 }),
    )

    await eventually(() => expect(ran).toHaveLength(2))
  })

  test('a run past its time is aborted by its signal, and has failed', async () => {
    const fleet = await openFleet()
    const { open: aborted, reached, wait: untilAborted } = gate()
    const { job, jobs } = await workerOn(fleet, jobWith({ timeoutSeconds: 5 }), (_, { signal }) => {
      signal.addEventListener('abort', () => aborted())
      return untilAborted()
    })
    await jobs.enqueue(fleet.db, job, order('a'))
    await reached

    await fleet.pass(6)

    await untilAborted()
    const [letter] = await eventually(() => expectDeadLetters(jobs, 1))
    expect(letter!.reason).not.toBe('')
  })
}

export function deadLetterRules(openFleet: OpenFleet) {
  test('a requeued dead letter runs again, with all its tries, and is a dead letter no more', async () => {
    const fleet = await openFleet()
    let lucky = false
    const { job, jobs, ran } = await workerOn(fleet, jobWith(), () => {
      if (!lucky) fail()
    })
    await jobs.enqueue(fleet.db, job, order('a'))
    const [letter] = await eventually(() => expectDeadLetters(jobs, 1))

    lucky = true
    expect(await jobs.requeue(letter!.id)).toBe('requeued')
    await fleet.pass(3)

    await eventually(() => expect(ran).toEqual(['a', 'a']))
    expect(await jobs.listDeadLetters({ limit: 10 })).toEqual([])
    expect(await jobs.requeue(letter!.id)).toBe('not-found')
  })

  test('a dead letter is not requeued beside a waiting job of the same dedupe key', async () => {
    const fleet = await openFleet()
    const job = jobWith({ dedupeKey: ({ name }) => name })
    const { jobs } = await workerOn(fleet, job, fail)
    await jobs.enqueue(fleet.db, job, order('a'))
    const [letter] = await eventually(() => expectDeadLetters(jobs, 1))
    await jobs.drain()
    await jobs.enqueue(fleet.db, job, order('a'))

    expect(await jobs.requeue(letter!.id)).toBe('one-waits-already')

    expect(await jobs.counts()).toMatchObject([{ waiting: 1 }])
  })

  test('dead letters are listed in pages, the newest first', async () => {
    const fleet = await openFleet()
    const { job, jobs } = await workerOn(fleet, jobWith(), fail)
    for (const name of ['a', 'b', 'c']) {
      await jobs.enqueue(fleet.db, job, order(name))
      await eventually(() => expectDeadLetters(jobs, ['a', 'b', 'c'].indexOf(name) + 1))
      await fleet.pass(1)
    }

    const first = await jobs.listDeadLetters({ limit: 2 })
    const second = await jobs.listDeadLetters({ limit: 2, before: first.at(-1)! })

    const names = [...first, ...second].map(({ payload }) => (payload as { name: string }).name)
    expect(names).toEqual(['c', 'b', 'a'])
  })
}

/** A retry starts at most this long after it is due. */
const POLL_SECONDS = 2

interface Retry {
  readonly jobs: Jobs
  readonly job: Job<typeof Name, Deps>
  readonly id: string
  readonly retries: number
  readonly secondsMin: number
}

/** Back-off is random: between the given wait and its double. */
async function secondsToRetry(fleet: JobsFleet, { jobs, job, id, retries, secondsMin }: Retry) {
  const run = await eventually(async () => {
    const run = await jobs.find(job, id)
    expect(run).toMatchObject({ state: 'waiting', retries })
    expect(run!.dueAt.getTime()).toBeGreaterThan(fleet.now().getTime())
    return run!
  })
  const waitSeconds = (run.dueAt.getTime() - fleet.now().getTime()) / 1_000
  expect(waitSeconds).toBeGreaterThanOrEqual(secondsMin - POLL_SECONDS)
  expect(waitSeconds).toBeLessThanOrEqual(2 * secondsMin)
  return waitSeconds + POLL_SECONDS
}
