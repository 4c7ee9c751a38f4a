import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { defineJob, describeMisfit, payloadFaults, queueOf } from './job.ts'

const settings = {
  payload: Type.Object({ id: Type.Integer(), day: Type.String({ format: 'date' }) }),
  retries: 0,
  backoff: { firstSeconds: 1, maxSeconds: 1 },
  timeoutSeconds: 1,
  concurrency: 1,
  run: async () => {},
}

test('a job is named after its capability and what it does', () => {
  expect(defineJob({ ...settings, name: 'banner.sync_schedule_status' }).name).toBeTruthy()
  for (const name of ['sync', 'Banner.sync', 'banner:sync', 'banner.', 'a.b.c']) {
    expect(() => defineJob({ ...settings, name })).toThrow('is no job name')
  }
})

test('a job is counted under its capability unless it names a queue', () => {
  expect(queueOf(defineJob({ ...settings, name: 'budgets.charge-batch' }))).toBe('budgets')
  const sync = defineJob({ ...settings, name: 'channels.sync', queue: 'stats-sync' })
  expect(queueOf(sync)).toBe('stats-sync')
})

test('every fault of a payload is told at once', () => {
  const job = defineJob({ ...settings, name: 'budgets.charge-batch' })

  expect(payloadFaults(job, { id: 1, day: '2030-01-01' })).toEqual([])
  const faults = payloadFaults(job, { id: 'x', day: 'tomorrow' })
  expect(faults.map(({ path }) => path)).toEqual(['/id', '/day'])
  expect(describeMisfit(faults)).toContain('/id must be integer; /day')
})
