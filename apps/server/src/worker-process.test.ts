import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { scratchFolder } from './testing/server.ts'
import { startWorkerProcess } from './worker-process.ts'

const eventually = (look: () => void) => vi.waitFor(look, { timeout: 20_000, interval: 10 })

/** A worker that runs this program. */
async function aWorker(program: string) {
  const file = path.join(await scratchFolder(), 'worker.mjs')
  await writeFile(file, program)
  const waits: number[] = []
  const worker = startWorkerProcess({
    environment: {},
    databaseUrl: 'postgres://nowhere',
    program: file,
    backoff: { firstMs: 10, maxMs: 40 },
    log: { error: (facts: unknown) => void waits.push((facts as { waitMs: number }).waitMs) },
  })
  onTestFinished(() => worker.stop())
  return { worker, waits }
}

test('a worker that keeps ending is restarted after growing pauses, and the log says when', async () => {
  const { worker, waits } = await aWorker('process.exit(3)')

  await eventually(() => expect(waits.length).toBeGreaterThan(3))

  expect(waits.slice(0, 4)).toEqual([10, 20, 40, 40])
  expect(worker.isWorking()).toBe(false)
})

test('a crashed worker counts as missing until the next one reports its start', async () => {
  const { worker, waits } = await aWorker(`
    process.send('started')
    process.on('disconnect', () => process.exit(0))
    setTimeout(() => process.exit(1), 500)`)
  expect(worker.isWorking()).toBe(true)

  await eventually(() => expect(worker.isWorking()).toBe(false))
  await eventually(() => expect(worker.isWorking()).toBe(true))

  expect(waits).toHaveLength(1)
})
