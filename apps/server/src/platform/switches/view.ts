import type { Client } from 'pg'
import { startLoop } from '../background/loop.ts'
import type { Timers } from '../background/timers.ts'
import { keepConnection } from '../changes/kept-connection.ts'
import type { ChangeSubscriber } from '../changes/changes.ts'
import type { Database } from '../database/connect.ts'
import { cursorNow } from '../database/ordered-feed.ts'
import { listSwitches } from './store.ts'
import type { Switch } from './switch.ts'

export interface Switches {
  /** Answers from memory, at most about a second old. Throws for an undefined name. */
  isOn(name: string): boolean
}

export interface SwitchesView extends Switches {
  /** Called when a switch was turned. */
  whenTurned(listener: () => Promise<void> | void): void
  /** Follows the change feed, to see a turned switch at once. */
  readonly subscriber: ChangeSubscriber
  /** Polls the switches on a connection of its own. */
  poll(options: PollOptions): { stop(): Promise<void> }
}

export interface PollOptions {
  readonly url: string
  readonly timers: Timers
  onError(error: unknown): void
}

/** An emergency switch acts within half a second, whatever else is stuck. */
const POLL_MS = 500
const BACKOFF = { firstMs: POLL_MS, maxMs: 2_000 }

/**
 * Loads the switches. They must act when nothing else works, so they do not depend on the change feed or
 * on the shared pool: `poll` has its own connection.
 */
export async function openSwitches(
  db: Database,
  definitions: readonly Switch[],
): Promise<SwitchesView> {
  const listeners: (() => Promise<void> | void)[] = []
  let isOnByName = new Map<string, boolean>()
  const adopt = async (turned: ReadonlyMap<string, boolean>) => {
    const before = isOnByName
    isOnByName = new Map(turned)
    const isTurned = definitions.some(({ name }) => before.get(name) !== turned.get(name))
    if (isTurned) for (const listener of listeners) await listener()
  }
  const reload = async () => {
    const states = await listSwitches(db, definitions)
    await adopt(new Map(states.map(({ name, isOn }) => [name, isOn])))
  }
  await reload()

  return {
    isOn(name) {
      const isOn = isOnByName.get(name)
      if (isOn === undefined) throw new Error(`There is no switch ${name}`)
      return isOn
    },
    whenTurned: (listener) => void listeners.push(listener),
    subscriber: {
      async onChanges(changes) {
        if (changes.some(({ entity }) => entity === 'switches')) await reload()
      },
      async onReload() {
        const cursor = await cursorNow(db)
        await reload()
        return cursor
      },
      onReconcile: reload,
    },
    poll: (options) => pollSwitches(definitions, options, adopt),
  }
}

function pollSwitches(
  definitions: readonly Switch[],
  { url, timers, onError }: PollOptions,
  adopt: (turned: ReadonlyMap<string, boolean>) => Promise<void>,
) {
  let client: Client | undefined
  const loop = startLoop({
    timers,
    onError,
    backoff: BACKOFF,
    async iterate() {
      if (client !== undefined) await adopt(await readSwitches(client, definitions))
      return POLL_MS
    },
  })
  const connection = keepConnection({
    url,
    applicationName: 'placard-switches',
    timers,
    onError,
    onConnected: (connected) => void (client = connected),
    onLost: () => (client = undefined),
  })
  return { stop: async () => void (await Promise.all([connection.stop(), loop.stop()])) }
}

const TURNED = 'select name, is_on as "isOn" from switches where version > 0'

async function readSwitches(client: Client, definitions: readonly Switch[]) {
  const { rows } = await client.query<{ name: string; isOn: boolean }>({
    name: 'turned switches',
    text: TURNED,
  })
  const turned = new Map(rows.map(({ name, isOn }) => [name, isOn]))
  return new Map(definitions.map(({ name, defaultOn }) => [name, turned.get(name) ?? defaultOn]))
}
