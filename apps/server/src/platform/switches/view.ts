import type { ChangeSubscriber } from '../changes/changes.ts'
import type { Database } from '../database/connect.ts'
import { cursorNow } from '../database/ordered-feed.ts'
import { listSwitches } from './store.ts'
import type { Switch } from './switch.ts'

export interface Switches {
  /** Answers from memory, at most about a second old; throws for a name nobody defined. */
  isOn(name: string): boolean
}

export interface SwitchesView extends Switches {
  /** Keeps the view fresh, as one of the followers of the change feed. */
  readonly subscriber: ChangeSubscriber
}

/** Loads the switches as they stand; take the feed's cursor before. */
export async function openSwitches(
  db: Database,
  definitions: readonly Switch[],
): Promise<SwitchesView> {
  let isOnByName = new Map<string, boolean>()
  const reload = async () => {
    const states = await listSwitches(db, definitions)
    isOnByName = new Map(states.map(({ name, isOn }) => [name, isOn]))
  }
  await reload()

  return {
    isOn(name) {
      const isOn = isOnByName.get(name)
      if (isOn === undefined) throw new Error(`There is no switch ${name}`)
      return isOn
    },
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
  }
}
