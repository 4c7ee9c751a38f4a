import { expect, test } from 'vitest'
import { BLOCK_STATES, type BlockState, decisionsOn, isPending } from './block-states.ts'

const action = (state: BlockState, id = 'b1', session = 's1') => ({
  id,
  state,
  device_session_id: session,
})
const decisionsIn = (state: BlockState) => decisionsOn(action(state), [action(state)])

test('a person blocks or dismisses an open action, and unblocks a blocked session', () => {
  const states = Object.keys(BLOCK_STATES) as BlockState[]
  const open = states.filter((state) => decisionsIn(state).includes('block'))
  const blocked = states.filter((state) => decisionsIn(state).includes('unblock'))

  expect(open).toEqual(['awaiting_review', 'skipped_shadow', 'failed'])
  expect(blocked).toEqual(['succeeded', 'unblock_failed'])
  expect(decisionsIn('failed')).toEqual(['dismiss', 'block'])
  expect(decisionsIn('dismissed')).toEqual([])
})

test('a failed block offers no decision once the same session has a newer action', () => {
  const failed = action('failed', 'b1')

  expect(decisionsOn(failed, [failed, action('requested', 'b2')])).toEqual([])
  expect(decisionsOn(failed, [failed, action('requested', 'b2', 's2')])).toHaveLength(2)
})

test('a requested block or unblock is pending, and every outcome has words', () => {
  expect(
    ['requested', 'unblock_requested', 'failed'].map((state) =>
      isPending(action(state as BlockState)),
    ),
  ).toEqual([true, true, false])
  expect(BLOCK_STATES.skipped_shadow[0]).toBe('Recorded only (blocking was off)')
})
