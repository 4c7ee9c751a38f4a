import { sql } from 'drizzle-orm'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { freshDatabase } from '../../testing/services/database.ts'
import { followChanges } from '../changes/changes.ts'
import { systemTimers } from '../background/timers.ts'
import type { Database } from '../database/connect.ts'
import { cursorNow } from '../database/ordered-feed.ts'
import { listSwitches, turnSwitch, type TurnSwitch, type TurnSwitchDeps } from './store.ts'
import { defineSwitch, type SwitchState } from './switch.ts'
import { openSwitches } from './view.ts'

const learning = defineSwitch({
  name: 'learning.bids',
  about: 'Bid agents change bids by themselves',
  defaultOn: true,
})
const blocking = defineSwitch({
  name: 'geo-profile.blocking',
  about: 'Sessions are blocked without a person',
  defaultOn: false,
})
const definitions = [learning, blocking]
const at = new Date('2030-01-01T12:00:00Z')
const operator = '01890000-0000-7000-8000-000000000001'

const change = (isOn: boolean, fields: Partial<TurnSwitch> = {}): TurnSwitch => ({
  name: blocking.name,
  isOn,
  note: 'trying it',
  at,
  by: operator,
  ...fields,
})

function auditing() {
  const audited: { before: SwitchState; after: SwitchState }[] = []
  const deps: TurnSwitchDeps = {
    definitions,
    audit: async (_, turned) => void audited.push(turned),
  }
  return { audited, deps }
}

test('a switch is named after its capability and what is on', () => {
  expect(() => defineSwitch({ ...learning, name: 'Learning' })).toThrow('is no switch name')
})

describe('turnSwitch', () => {
  test('a switch that nobody has turned stands as defined', async () => {
    const { db } = await freshDatabase()

    expect(await listSwitches(db, definitions)).toMatchObject([
      { name: 'learning.bids', isOn: true, version: 0, updatedAt: undefined },
      { name: 'geo-profile.blocking', isOn: false, version: 0, updatedBy: undefined },
    ])
  })

  test('turning it says who, when and why, and is audited with before and after', async () => {
    const { db } = await freshDatabase()
    const { audited, deps } = auditing()

    const after = await turnSwitch(db, deps, change(true))

    expect(after).toEqual({
      ...blocking,
      isOn: true,
      note: 'trying it',
      version: 1,
      updatedAt: at,
      updatedBy: operator,
    })
    expect(audited).toMatchObject([{ before: { isOn: false, version: 0 }, after }])
    expect((await listSwitches(db, definitions))[1]).toEqual(after)
  })

  test('if the audit log cannot be written, the switch is not turned', async () => {
    const { db } = await freshDatabase()
    const deps: TurnSwitchDeps = {
      definitions,
      audit: () => Promise.reject(new Error('audit log is full')),
    }

    await expect(turnSwitch(db, deps, change(true))).rejects.toThrow('is full')

    expect((await listSwitches(db, definitions))[1]).toMatchObject({ isOn: false, version: 0 })
  })

  test('a switch that nobody defined cannot be turned', async () => {
    const { db } = await freshDatabase()

    const turned = turnSwitch(db, auditing().deps, change(true, { name: 'learning.nothing' }))

    await expect(turned).rejects.toMatchObject({ kind: { code: 'SWITCH_NOT_FOUND' } })
  })

  test('who has seen an older version is refused', async () => {
    const { db } = await freshDatabase()
    const { deps, audited } = auditing()
    await turnSwitch(db, deps, change(true, { version: 0 }))

    const turned = turnSwitch(db, deps, change(false, { version: 0 }))

    await expect(turned).rejects.toMatchObject({ kind: { code: 'SWITCH_CHANGED' } })
    expect(audited).toHaveLength(1)
  })

  test('who turns it while another does waits, and starts from what the other left', async () => {
    const { db, pool } = await freshDatabase()
    const { audited, deps } = auditing()
    await turnSwitch(db, deps, change(false))
    const other = await pool.connect()
    await other.query('begin; select from switches for update')

    const turned = turnSwitch(db, deps, change(true))
    await vi.waitFor(() => expectWaiting(db), { timeout: 5_000, interval: 5 })
    await other.query('update switches set version = 7; commit')
    other.release()

    expect(await turned).toMatchObject({ version: 8 })
    expect(audited.at(-1)).toMatchObject({ before: { version: 7 } })
  })

  test('two who turn it for the first time are both audited, one after the other', async () => {
    const { db } = await freshDatabase()
    const { audited, deps } = auditing()

    await Promise.all([turnSwitch(db, deps, change(true)), turnSwitch(db, deps, change(true))])

    const versions = audited.map(({ before, after }) => [before.version, after.version])
    expect(versions).toEqual([
      [0, 1],
      [1, 2],
    ])
  })
})

async function expectWaiting(db: Database): Promise<void> {
  const { rowCount } = await db.execute(
    sql`select 1 from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock'`,
  )
  expect(rowCount).toBe(1)
}

/** A node of the fleet: its switches, kept fresh by the feed. */
async function node(db: Database, url: string) {
  const from = await cursorNow(db)
  const switches = await openSwitches(db, definitions)
  const follower = followChanges({
    db,
    url,
    from,
    subscriber: switches.subscriber,
    timers: systemTimers,
    onError: () => {},
  })
  onTestFinished(() => follower.stop())
  return switches
}

describe('view', () => {
  test('a turned switch is seen by every node, without asking the database', async () => {
    const { db, url } = await freshDatabase()
    const nodes = await Promise.all([node(db, url), node(db, url)])
    const isOn = () => nodes.map((switches) => switches.isOn(blocking.name))
    expect(isOn()).toEqual([false, false])

    await turnSwitch(db, auditing().deps, change(true))
    const committed = performance.now()

    await vi.waitFor(() => expect(isOn()).toEqual([true, true]), { timeout: 5_000, interval: 1 })
    const seenMs = performance.now() - committed
    process.stdout.write(`switch seen by two nodes after ${seenMs.toFixed(1)} ms\n`)
  })

  test('a row that is deleted falls back to the definition', async () => {
    const { db } = await freshDatabase()
    await turnSwitch(db, auditing().deps, change(true))
    const switches = await openSwitches(db, definitions)
    expect(switches.isOn(blocking.name)).toBe(true)

    await db.execute(sql`delete from switches`)
    await switches.subscriber.onReload()

    expect(switches.isOn(blocking.name)).toBe(false)
  })

  test('changes of other tables cost no query', async () => {
    const { db, pool } = await freshDatabase()
    const switches = await openSwitches(db, definitions)
    const query = vi.spyOn(pool, 'query')
    const change = { entityId: 1n, operation: 'update', changedAt: at } as const

    await switches.subscriber.onChanges([{ ...change, entity: 'campaigns' }])
    expect(query).not.toHaveBeenCalled()
    await switches.subscriber.onChanges([{ ...change, entity: 'switches' }])
    expect(query).toHaveBeenCalledTimes(1)
  })

  test('asking for a switch that nobody defined is a bug, and is told', async () => {
    const { db } = await freshDatabase()
    const switches = await openSwitches(db, definitions)

    expect(() => switches.isOn('learning.nothing')).toThrow('There is no switch learning.nothing')
  })
})
