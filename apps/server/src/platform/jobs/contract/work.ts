import { expect, test } from 'vitest'
import { bindJob, type JobObserver } from '../job.ts'
import { eventually, fail, gate, jobWith, type OpenFleet, order, workerOn } from './kit.ts'

const failIfBad = (name: string) => (name === 'bad' ? fail() : undefined)

export function workRules(openFleet: OpenFleet) {
  test('a backlog is worked off without waiting for the next poll', async () => {
    const fleet = await openFleet()
    const names = Array.from({ length: 25 }, (_, i) => `job ${i}`)
    const job = jobWith()
    const api = await fleet.open({ role: 'enqueuer', jobs: [job] })
    for (const name of names) await api.enqueue(fleet.db, job, order(name))

    const { ran } = await workerOn(fleet, job)

    await eventually(() => expect(ran.toSorted()).toEqual(names.toSorted()))
  })

  test('as many run side by side as the job allows, and no more', async () => {
    const fleet = await openFleet()
    const { open, wait } = gate()
    const { job, jobs, ran } = await workerOn(fleet, jobWith({ concurrency: 2 }), wait)
    for (const name of ['a', 'b', 'c']) await jobs.enqueue(fleet.db, job, order(name))

    await eventually(() => expect(ran).toHaveLength(2))
    expect(await jobs.counts()).toMatchObject([{ active: 2, waiting: 1 }])
    expect(ran).toHaveLength(2)

    open()
    await eventually(() => expect(ran).toHaveLength(3))
  })

  test('progress is visible while the job runs and when it is done', async () => {
    const fleet = await openFleet()
    const { open, reached, wait } = gate()
    const { job, jobs } = await workerOn(fleet, jobWith(), async (_, { progress }) => {
      for (let done = 1; done <= 50; done++) progress({ done, total: 100 })
      await wait()
      progress({ done: 100, total: 100 })
    })
    const id = await jobs.enqueue(fleet.db, job, order('a'))
    await reached

    await eventually(async () =>
      expect(await jobs.find(job, id!)).toMatchObject({
        state: 'running',
        progress: { done: 50, total: 100 },
      }),
    )
    open()

    await eventually(async () =>
      expect(await jobs.find(job, id!)).toMatchObject({
        state: 'succeeded',
        progress: { done: 100, total: 100 },
      }),
    )
  })
}

export function listRules(openFleet: OpenFleet) {
  test('the runs of a job are listed, the newest first', async () => {
    const fleet = await openFleet()
    const { job, jobs } = await workerOn(fleet, jobWith(), (name) => {
      if (name === 'bad') fail()
    })
    for (const name of ['good', 'bad']) {
      await jobs.enqueue(fleet.db, job, order(name))
      const done = name === 'good' ? ['succeeded'] : ['failed', 'succeeded']
      await eventually(async () =>
        expect((await jobs.listRuns(job, 10)).map(({ state }) => state)).toEqual(done),
      )
      await fleet.pass(1)
    }

    expect(await jobs.listRuns(job, 1)).toMatchObject([{ state: 'failed' }])
  })
}

export function stopRules(openFleet: OpenFleet) {
  test('stop waits for the running job', async () => {
    const fleet = await openFleet()
    const { open, reached, wait } = gate()
    const { job, jobs } = await workerOn(fleet, jobWith(), wait)
    const watcher = await fleet.open({ role: 'enqueuer', jobs: [job] })
    const id = await jobs.enqueue(fleet.db, job, order('running'))
    await reached

    const stopped = jobs.stop()
    await fleet.pass(10)
    expect(await watcher.find(job, id!)).toMatchObject({ state: 'running' })
    open()
    await stopped

    expect(await watcher.find(job, id!)).toMatchObject({ state: 'succeeded', retries: 0 })
  })

  test('drain lets the running job finish and starts no other', async () => {
    const fleet = await openFleet()
    const { open, reached, wait } = gate()
    const { job, jobs, ran } = await workerOn(fleet, jobWith(), wait)
    const first = await jobs.enqueue(fleet.db, job, order('running'))
    await reached
    const second = await jobs.enqueue(fleet.db, job, order('waiting'))

    const drained = jobs.drain()
    open()
    await drained

    expect(await jobs.find(job, first!)).toMatchObject({ state: 'succeeded' })
    expect(await jobs.find(job, second!)).toMatchObject({ state: 'waiting' })
    expect(ran).toEqual(['running'])
  })

  test('a run that outlasts the stop is aborted, and another worker does it again', async () => {
    const fleet = await openFleet()
    const { reached, wait: forever } = gate()
    const job = jobWith({ retries: 1 })
    // The fleet's time must go on while one process ends.
    await fleet.open({ role: 'enqueuer', jobs: [job] })
    const stuck = await workerOn(fleet, job, forever)
    await stuck.jobs.enqueue(fleet.db, stuck.job, order('a'))
    await reached

    const stopped = stuck.jobs.stop()
    await fleet.pass(31)
    await stopped
    const other = await workerOn(fleet, stuck.job)
    await fleet.pass(25)

    await eventually(() => expect(other.ran).toEqual(['a']))
  })
}

export function observerRules(openFleet: OpenFleet) {
  test('a run past its time has failed for the observer, also if it ignores its signal', async () => {
    const fleet = await openFleet()
    const { reached, wait: forever } = gate()
    const failed: number[] = []
    const job = jobWith({ timeoutSeconds: 5 })
    const observer: JobObserver = {
      started: () => {},
      succeeded: () => {},
      failed: (_, durationMs) => failed.push(durationMs),
    }
    const jobs = await fleet.open({ role: 'worker', jobs: [job], observer })
    await jobs.work([bindJob(job, { run: forever })])
    await jobs.enqueue(fleet.db, job, order('deaf'))
    await reached

    await fleet.pass(5)

    await eventually(() => expect(failed).toEqual([5_000]))
  })

  test('the observer hears of every start and every end', async () => {
    const fleet = await openFleet()
    const heard: string[] = []
    const observer: JobObserver = {
      started: (job) => heard.push(`${job} started`),
      succeeded: (job, ms) => heard.push(`${job} succeeded in ${ms} ms`),
      failed: (job, ms) => heard.push(`${job} failed in ${ms} ms`),
    }
    const job = jobWith()
    const jobs = await fleet.open({ role: 'worker', jobs: [job], observer })
    await jobs.work([bindJob(job, { run: failIfBad })])

    await jobs.enqueue(fleet.db, job, order('good'))
    await jobs.enqueue(fleet.db, job, order('bad'))

    const started = 'testing.run-it started'
    await eventually(() =>
      expect(heard).toEqual([
        started,
        'testing.run-it succeeded in 0 ms',
        started,
        'testing.run-it failed in 0 ms',
      ]),
    )
  })
}
