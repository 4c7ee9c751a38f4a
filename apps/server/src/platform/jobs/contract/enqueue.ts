import { expect, test } from 'vitest'
import { Type } from 'typebox'
import { eventually, expectDeadLetters, jobWith, type OpenFleet, order, workerOn } from './kit.ts'

export function enqueueRules(openFleet: OpenFleet) {
  test('a job runs when the transaction that enqueued it has committed, and not before', async () => {
    const fleet = await openFleet()
    const { job, jobs, ran } = await workerOn(fleet)

    await fleet.db.transaction(async (db) => {
      await jobs.enqueue(db, job, order('inside'))
      await jobs.enqueue(fleet.db, job, order('outside'))
      await eventually(() => expect(ran).toEqual(['outside']))
    })

    await eventually(() => expect(ran).toEqual(['outside', 'inside']))
  })

  test('a job enqueued in a transaction that is rolled back never runs', async () => {
    const fleet = await openFleet()
    const { job, jobs, ran } = await workerOn(fleet)

    const rolledBack = fleet.db.transaction(async (db) => {
      await jobs.enqueue(db, job, order('rolled back'))
      throw new Error('changed my mind')
    })
    await expect(rolledBack).rejects.toThrow('changed my mind')
    await jobs.enqueue(fleet.db, job, order('kept'))

    await eventually(() => expect(ran).toEqual(['kept']))
    expect(await jobs.counts()).toMatchObject([{ waiting: 0, delayed: 0 }])
  })
}

export function payloadRules(openFleet: OpenFleet) {
  test('a payload that does not fit is refused at enqueue, with every fault named', async () => {
    const fleet = await openFleet()
    const job = jobWith()
    const jobs = await fleet.open({ role: 'enqueuer', jobs: [job] })

    const unfit = { payload: { name: 'x'.repeat(21) } }
    await expect(jobs.enqueue(fleet.db, job, unfit)).rejects.toThrow('/name must not have more')

    expect(await jobs.counts()).toMatchObject([{ waiting: 0 }])
  })

  test('a stored payload that does not fit goes to the dead letters, and is not tried', async () => {
    const fleet = await openFleet()
    const olderRelease = jobWith({ payload: Type.Object({}) as never, retries: 5 })
    const older = await fleet.open({ role: 'enqueuer', jobs: [olderRelease] })
    await older.enqueue(fleet.db, olderRelease, { payload: { nom: 'x' } as never })

    const { jobs, ran } = await workerOn(fleet, jobWith({ retries: 5 }))

    const [letter] = await eventually(() => expectDeadLetters(jobs, 1))
    expect(letter).toMatchObject({ job: 'testing.run-it', payload: { nom: 'x' }, retries: 0 })
    expect(letter!.reason).toContain('name')
    expect(ran).toEqual([])
  })

  test('a process that does not work jobs can enqueue them', async () => {
    const fleet = await openFleet()
    const job = jobWith()
    const api = await fleet.open({ role: 'enqueuer', jobs: [job] })
    await api.enqueue(fleet.db, job, order('from the api'))

    const { ran } = await workerOn(fleet, job)

    await eventually(() => expect(ran).toEqual(['from the api']))
  })
}
