import { expect, test } from 'vitest'
import { eventually, gate, jobWith, type OpenFleet, order, workerOn } from './kit.ts'

export function dedupeRules(openFleet: OpenFleet) {
  const job = jobWith({ dedupeKey: ({ name }) => name })

  test('of jobs with one dedupe key one waits at a time; other keys do not matter', async () => {
    const fleet = await openFleet()
    const jobs = await fleet.open({ role: 'enqueuer', jobs: [job] })

    expect(await jobs.enqueue(fleet.db, job, order('a'))).toBeTypeOf('string')
    expect(await jobs.enqueue(fleet.db, job, order('a'))).toBeUndefined()
    expect(await jobs.enqueue(fleet.db, job, order('b'))).toBeTypeOf('string')

    expect(await jobs.counts()).toMatchObject([{ queue: 'testing', waiting: 2 }])
  })

  test('the dedupe key is free again when the job is done', async () => {
    const fleet = await openFleet()
    const { jobs, ran } = await workerOn(fleet, job)
    const first = await jobs.enqueue(fleet.db, job, order('a'))
    await eventually(async () =>
      expect(await jobs.find(job, first!)).toMatchObject({ state: 'succeeded' }),
    )

    expect(await jobs.enqueue(fleet.db, job, order('a'))).toBeTypeOf('string')

    await eventually(() => expect(ran).toEqual(['a', 'a']))
  })

  test('what is asked for while the job runs is not lost: it runs afterwards', async () => {
    const fleet = await openFleet()
    const { open, reached, wait } = gate()
    const { jobs, ran } = await workerOn(fleet, job, wait)
    await jobs.enqueue(fleet.db, job, order('a'))
    await reached

    expect(await jobs.enqueue(fleet.db, job, order('a'))).toBeTypeOf('string')
    expect(await jobs.enqueue(fleet.db, job, order('a'))).toBeUndefined()
    open()

    await eventually(() => expect(ran).toEqual(['a', 'a']))
  })

  test('jobs without a dedupe key do not hold each other up', async () => {
    const fleet = await openFleet()
    const plain = jobWith()
    const jobs = await fleet.open({ role: 'enqueuer', jobs: [plain] })

    await jobs.enqueue(fleet.db, plain, order('same'))
    await jobs.enqueue(fleet.db, plain, order('same'))

    expect(await jobs.counts()).toMatchObject([{ waiting: 2 }])
  })
}
