import { readFile, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { scratchFolder } from '../../testing/server.ts'
import { type EmbeddedEnd, findRunning, startEmbedded } from './embedded.ts'
import { claimApi } from './only-api.ts'

test('a second start leaves the database of a living api alone, and takes over that of a dead one', async () => {
  const folder = await scratchFolder()
  const options = { folder, settings: ['fsync=off'], progress: () => {} }
  const first = await startEmbedded(options)
  const claim = await claimApi(first.url, { isShared: false, id: 'first', onLost() {} })

  await expect(startEmbedded(options)).rejects.toThrow('Another Placard runs on')
  expect((await findRunning(folder))?.url).toBe(first.url)

  await claim.release()
  const second = await startEmbedded(options)
  onTestFinished(() => second.stop())
  expect((await findRunning(folder))?.url).toBe(second.url)
  expect(second.url).not.toBe(first.url)
})

test('of several starts at once on one folder, one server at a time has the data', async () => {
  const folder = await scratchFolder()
  const options = { folder, settings: ['fsync=off'], progress: () => {} }
  await (await startEmbedded(options)).stop()

  const starts = await Promise.allSettled([1, 2, 3].map(() => startEmbedded(options)))

  const started = starts.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []))
  onTestFinished(async () => {
    for (const server of started) await server.stop()
  })
  expect(started.length).toBeGreaterThan(0)
  const answers = await Promise.all(started.map(({ url }) => isAnswering(url)))
  expect(answers.filter(Boolean)).toHaveLength(1)
})

async function isAnswering(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.end()
    return true
  } catch {
    return false
  }
}

test('a lock of a process that is gone, or whose number another program has, is no obstacle', async () => {
  const folder = await scratchFolder()
  const options = { folder, settings: ['fsync=off'], progress: () => {} }
  const first = await startEmbedded(options)
  const lock = path.join(folder, 'data/postmaster.pid')
  const [, ...rest] = (await readFile(lock, 'utf8')).split('\n')
  await first.stop()

  for (const pid of [process.pid, 4_194_303]) {
    await writeFile(lock, [pid, ...rest].join('\n'))
    const server = await startEmbedded(options)
    expect(await isAnswering(server.url)).toBe(true)
    await server.stop()
  }
})

test('a server that is killed is started again on the same port, and keeps what was committed', async () => {
  const folder = await scratchFolder()
  const ends: EmbeddedEnd[] = []
  const again = Promise.withResolvers<void>()
  const server = await startEmbedded({
    folder,
    progress: () => {},
    backoff: { firstMs: 100, maxMs: 1_000 },
    onEnd: (end) => ends.push(end),
    onStartedAgain: again.resolve,
  })
  onTestFinished(() => server.stop())
  await query(server.url, 'create table kept as select 7 as value')

  process.kill((await findRunning(folder))!.pid, 'SIGKILL')
  await again.promise

  expect((await query(server.url, 'select value from kept')).rows).toEqual([{ value: 7 }])
  expect(ends[0]).toEqual({ reason: 'it ended with SIGKILL', failures: 1, waitMs: 100 })
})

test('a server that cannot start again is tried ever more rarely, until it can', async () => {
  const folder = await scratchFolder()
  const waits: number[] = []
  const tried = Promise.withResolvers<void>()
  const again = Promise.withResolvers<void>()
  const server = await startEmbedded({
    folder,
    settings: ['fsync=off'],
    progress: () => {},
    backoff: { firstMs: 20, maxMs: 80 },
    onEnd({ waitMs }) {
      waits.push(waitMs)
      if (waits.length === 4) tried.resolve()
    },
    onStartedAgain: again.resolve,
  })
  onTestFinished(() => server.stop())
  const { pid } = (await findRunning(folder))!
  const control = path.join(folder, 'data/global/pg_control')
  await rename(control, `${control}.away`)

  process.kill(pid, 'SIGKILL')
  await tried.promise
  expect(waits.slice(0, 4)).toEqual([20, 40, 80, 80])

  await rename(`${control}.away`, control)
  await again.promise
  expect(await isAnswering(server.url)).toBe(true)
})

test('a server that was stopped stays stopped', async () => {
  const folder = await scratchFolder()
  const ends: EmbeddedEnd[] = []
  const server = await startEmbedded({
    folder,
    settings: ['fsync=off'],
    progress: () => {},
    onEnd: (end) => ends.push(end),
  })

  await server.stop()

  expect(ends).toEqual([])
  expect(await findRunning(folder)).toBeUndefined()
})

async function query(url: string, text: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await client.query(text)
  } finally {
    await client.end()
  }
}
