import { sayCount } from '../../../ui/format/format.ts'
import type { ChangeSet } from '../../../api/types.ts'

/** Rows that the present state has still to work on. */
export function openRows({ state, waiting, ready, changed }: ChangeSet): number {
  if (state === 'checking') return waiting
  if (state === 'publishing') return ready
  return state === 'undoing' ? changed : 0
}

export const isWorking = ({ state }: Pick<ChangeSet, 'state'>): boolean =>
  state === 'checking' || state === 'publishing' || state === 'undoing'

/** What a change set is about to do, is doing, or has done. Pure. */
export function saySet(set: ChangeSet): string {
  const { state, rows, ready, refused, unchanged, changed, undone, kept } = set
  if (rows === 0) return 'The selection is empty.'
  if (state === 'checking') return `Checking ${sayCount(rows)}…`
  if (state === 'publishing') return `Changing: ${sayCount(ready)} to go…`
  if (state === 'undoing') return `Undoing: ${sayCount(changed)} to go…`
  const parts =
    state === 'draft'
      ? [some(ready, 'will change'), some(unchanged, 'already so'), some(refused, 'refused')]
      : state === 'published'
        ? [some(changed, 'changed'), some(unchanged, 'already so'), some(refused, 'refused')]
        : [some(undone, 'restored'), some(kept, 'left, because somebody changed them since')]
  return `${parts.filter(Boolean).join(', ') || 'Nothing changed'}.`
}

const some = (count: number, words: string) => (count > 0 ? `${sayCount(count)} ${words}` : '')
