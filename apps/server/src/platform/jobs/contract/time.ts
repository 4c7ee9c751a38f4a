import { expect, test } from 'vitest'
import { eventually, jobWith, type OpenFleet, order, workerOn } from './kit.ts'

export function timeRules(openFleet: OpenFleet) {
  test('a delayed job is not run before its time', async () => {
    const fleet = await openFleet()
    const { job, jobs, ran } = await workerOn(fleet)
    const id = await jobs.enqueue(fleet.db, job, order('later', 60))
    const run = await jobs.find(job, id!)
    expect(run!.dueAt.getTime() - fleet.now().getTime()).toBe(60_000)

    await fleet.pass(55)
    await jobs.enqueue(fleet.db, job, order('now'))
    await eventually(() => expect(ran).toEqual(['now']))
    expect(await jobs.counts()).toMatchObject([{ waiting: 0, delayed: 1 }])
    await fleet.pass(15)

    await eventually(() => expect(ran).toEqual(['now', 'later']))
  })

  test('counts tell how long the oldest job has been due', async () => {
    const fleet = await openFleet()
    const job = jobWith()
    const jobs = await fleet.open({ role: 'enqueuer', jobs: [job] })
    await jobs.enqueue(fleet.db, job, order('a'))
    await fleet.pass(90)
    await jobs.enqueue(fleet.db, job, order('b'))

    expect(await jobs.counts()).toEqual([
      { queue: 'testing', waiting: 2, delayed: 0, active: 0, failed: 0, oldestSeconds: 90 },
    ])
  })
}

export function scheduleRules(openFleet: OpenFleet) {
  test('cron fires once in the whole fleet, however many workers there are', async () => {
    const fleet = await openFleet()
    const one = await workerOn(fleet)
    const two = await workerOn(fleet)
    await fleet.pass(1)
    await one.jobs.schedule(one.job, '* * * * *', { name: 'tick' })
    await two.jobs.schedule(two.job, '* * * * *', { name: 'tick' })

    for (const minutes of [1, 2, 3]) {
      await fleet.pass(60)
      await eventually(() => expect([...one.ran, ...two.ran]).toHaveLength(minutes))
    }

    expect(await one.jobs.counts()).toMatchObject([{ waiting: 0, delayed: 0 }])
  })

  test('a run by schedule starts at its minute, and its key carries the date of that minute', async () => {
    const fleet = await openFleet()
    const keyed = jobWith({ dedupeKey: (_, dueAt) => `run-${dueAt.toISOString().slice(0, 16)}` })
    const { job, jobs, ran } = await workerOn(fleet, keyed)
    await jobs.schedule(job, '* * * * *', { name: 'tick' })
    const secondsLeft = 60 - fleet.now().getUTCSeconds()

    await fleet.pass(secondsLeft - 1)
    expect(await jobs.listRuns(job, 10)).toEqual([])
    await fleet.pass(1)

    await eventually(() => expect(ran).toEqual(['tick']))
    const minute = fleet.now().toISOString()
    expect(minute).toMatch(/:00\.000Z$/)
    expect(await jobs.listRuns(job, 10)).toMatchObject([
      { dueAt: new Date(minute), dedupeKey: `run-${minute.slice(0, 16)}` },
    ])
  })

  test('of the times that passed while no worker ran, the last one is made up for', async () => {
    const fleet = await openFleet()
    const stopped = await workerOn(fleet)
    await stopped.jobs.schedule(stopped.job, '* * * * *', { name: 'tick' })
    await stopped.jobs.stop()
    await fleet.pass(600)

    const { job, jobs, ran } = await workerOn(fleet)
    await jobs.schedule(job, '* * * * *', { name: 'tick' })

    await eventually(() => expect(ran).toEqual(['tick']))
    const [run, ...others] = await jobs.listRuns(job, 10)
    expect(others).toEqual([])
    expect(fleet.now().getTime() - run!.dueAt.getTime()).toBeLessThan(60_000)
  })

  test('a new schedule replaces the old one, and a job can be taken off its schedule', async () => {
    const fleet = await openFleet()
    const { job, jobs, ran } = await workerOn(fleet)
    await fleet.pass(1)
    await jobs.schedule(job, '* * * * *', { name: 'old' })
    await jobs.schedule(job, '* * * * *', { name: 'new' })
    await fleet.pass(60)
    await eventually(() => expect(ran).toEqual(['new']))

    await jobs.unschedule(job)
    await fleet.pass(120)

    await jobs.enqueue(fleet.db, job, order('last'))
    await eventually(() => expect(ran).toEqual(['new', 'last']))
  })
}
