import { fork } from 'node:child_process'
import { once } from 'node:events'
import { stat } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { scratchFolder } from '../../../testing/server.ts'
import type { TrackedEvent } from './event.ts'
import { openSqliteSpool } from './spool.ts'

const MEGABYTE = 1_048_576
const event = (eventId: string) => ({ eventId }) as TrackedEvent
const idsOf = (events: readonly TrackedEvent[]) => events.map(({ eventId }) => eventId)

async function aSpool(bytesMax = MEGABYTE, folder?: string) {
  const file = path.join(folder ?? (await scratchFolder()), 'spool', 'events.sqlite')
  const spool = await openSqliteSpool({ file, bytesMax })
  onTestFinished(() => spool.close().catch(() => {}))
  return { spool, file }
}

describe('the spool', () => {
  test('the spool returns events in arrival order until they are removed', async () => {
    const { spool } = await aSpool()
    await Promise.all([spool.append([event('a'), event('b')]), spool.append([event('c')])])

    const page = await spool.read(2)
    const again = await spool.read(2)
    await spool.remove(page.through)
    const rest = await spool.read(2)

    expect(idsOf(page.events)).toEqual(['a', 'b'])
    expect(again).toEqual(page)
    expect(idsOf(rest.events)).toEqual(['c'])
    expect(spool.count()).toBe(1)
  })

  test('only the owner can read the spool and SQLite’s side files', async () => {
    const { spool, file } = await aSpool()
    await spool.append([event('a')])

    for (const name of [file, `${file}-wal`]) {
      expect(((await stat(name)).mode & 0o777).toString(8)).toBe('600')
    }
  })

  test('the spool refuses a whole append beyond its size, and accepts again after a removal', async () => {
    const { spool } = await aSpool(60)
    const small = [event('a'), event('b')]

    const verdicts = [await spool.append(small), await spool.append([...small, ...small])]
    await spool.remove((await spool.read(10)).through)

    expect(verdicts).toEqual(['kept', 'full'])
    expect(spool.count()).toBe(0)
    expect(await spool.append(small)).toBe('kept')
  })

  test('the spool reopens with the events that were left', async () => {
    const folder = await scratchFolder()
    const { spool } = await aSpool(MEGABYTE, folder)
    await spool.append([event('a')])
    await spool.close()

    const { spool: next } = await aSpool(MEGABYTE, folder)

    expect(next.count()).toBe(1)
    expect(idsOf((await next.read(10)).events)).toEqual(['a'])
  })

  test('the spool cannot be opened twice at the same time', async () => {
    const folder = await scratchFolder()
    await aSpool(MEGABYTE, folder)

    await expect(aSpool(MEGABYTE, folder)).rejects.toThrow('locked')
  })

  test('a closed spool rejects calls', async () => {
    const { spool } = await aSpool()
    await spool.close()

    await expect(spool.append([event('a')])).rejects.toThrow('closed')
  })

  test('the spool still has every acknowledged event after its process is killed', async () => {
    const folder = await scratchFolder()
    const file = path.join(folder, 'spool', 'events.sqlite')
    const child = fork(path.join(import.meta.dirname, 'spool-crash-target.ts'), [file])
    const kept: string[] = []
    await new Promise<void>((resolve) => {
      child.on('message', (eventId: string) => {
        kept.push(eventId)
        if (kept.length === 200) resolve()
      })
    })

    child.kill('SIGKILL')
    await once(child, 'exit')

    const { spool } = await aSpool(MEGABYTE, folder)
    const found = new Set(idsOf((await spool.read(100_000)).events))
    expect(kept.filter((eventId) => !found.has(eventId))).toEqual([])
  })
})
