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
