import { sql } from 'drizzle-orm'
import { expect, test, vi } from 'vitest'
import { freshDatabase } from '../../testing/services/database.ts'
import { systemRandom } from '../random.ts'
import { type Feed, FEED_START, readFeed } from '../database/ordered-feed.ts'
import { idsFrom } from '../ids.ts'
import type { OutboxEvent } from './event.ts'
import {
  CursorMoved,
  type Cursors,
  type EventSource,
  moveCursors,
  openCursors,
  outboxSource,
  readSources,
} from './sources.ts'
import { appendEvent } from './store.ts'

const time = new Date('2030-01-01T12:00:00Z')
const ids = idsFrom({ clock: { now: () => time }, random: systemRandom })

const event = (subject: string, type = 'campaign.state-changed.v1'): OutboxEvent => ({
  id: ids.next(),
  type,
  subject,
  time,
  data: {},
})

/** Any table with the two columns will do. */
const otherFeed: Feed<OutboxEvent> = {
  table: 'changes',
  columns: ['entity'],
  timeColumn: 'changed_at',
  parse: ({ entity }) => event(entity as string, 'switch.turned.v1'),
}

const otherSource: EventSource = {
  name: 'other',
  types: ['switch.turned.v1'],
  startsAt: 'oldest',
  async read(db, { after, limit }) {
    const { rows, places, state } = await readFeed(db, otherFeed, { after, limit })
    return { units: rows.map((row, at) => ({ place: places[at]!, events: [row] })), state }
  },
}

const sources = [otherSource, outboxSource]
const START: Cursors = [FEED_START, FEED_START]

async function aHistory() {
  const { db } = await freshDatabase()
  for (const n of [1, 2, 3]) {
    await appendEvent(db, event(`outbox ${n}`))
    await db.execute(
      sql`insert into changes (entity, entity_id, operation) values (${`other ${n}`}, 1, 'insert')`,
    )
  }
  return db
}

test('events of several sources are told in the order of their transactions, page by page', async () => {
  const db = await aHistory()
  const published: string[] = []
  let cursors = START

  await vi.waitFor(async () => {
    const page = await readSources(db, { sources, cursors, limit: 2, wants: () => true })
    published.push(...page.events.map(({ subject }) => subject))
    cursors = page.next
    expect(page.state).toBe('end')
  })

  expect(published).toEqual(['outbox 1', 'other 1', 'outbox 2', 'other 2', 'outbox 3', 'other 3'])
})

test('what nobody wants is not told, and a source of nothing else is not read', async () => {
  const db = await aHistory()
  const unreadable: EventSource = {
    ...otherSource,
    read: () => Promise.reject(new Error('was read')),
  }
  const wants = (type: string) => type === 'campaign.state-changed.v1'

  await vi.waitFor(async () => {
    const query = { sources: [unreadable, outboxSource], cursors: START, limit: 9, wants }
    const { events } = await readSources(db, query)
    expect(events.map(({ subject }) => subject)).toEqual(['outbox 1', 'outbox 2', 'outbox 3'])
  })
})

test('cursors move together or not at all', async () => {
  const db = await aHistory()
  const from = await openCursors(db, { sink: 'test', sources })
  const to = from.map(({ xid }) => ({ xid: xid + 5n, id: 0n }))
  const stale = [from[0]!, { xid: 99n, id: 0n }]

  const move = { sink: 'test', sources, to }
  await expect(moveCursors(db, { ...move, from: stale })).rejects.toThrow(CursorMoved)
  expect(await openCursors(db, { sink: 'test', sources })).toEqual(from)

  await moveCursors(db, { ...move, from })
  expect(await openCursors(db, { sink: 'test', sources })).toEqual(to)
})
