import { expect, test } from 'vitest'
import { actionsOf, canChange, isFinal, undoOf } from './actions.ts'

test.each([
  ['draft', 'activate', ['schedule', 'cancel'], true],
  ['scheduled', 'activate', ['unschedule', 'cancel'], false],
  ['active', 'pause', ['end', 'cancel'], false],
  ['paused', 'activate', ['schedule', 'end', 'cancel'], false],
  ['ended', undefined, [], true],
  ['cancelled', undefined, [], true],
] as const)(
  'a campaign that is %s has the button %s, the menu %j, and may be deleted: %s',
  (...[status, main, menu, canDelete]) => {
    expect(actionsOf({ status })).toEqual({ main, menu, canDelete })
  },
)

test('only actions that cannot be taken back ask first, and only a start or a pause can be undone', () => {
  expect((['end', 'cancel'] as const).map(isFinal)).toEqual([true, true])
  expect(isFinal('pause')).toBe(false)
  expect([undoOf('pause'), undoOf('activate'), undoOf('end')]).toEqual([
    'activate',
    'pause',
    undefined,
  ])
})

test('a bulk action takes the campaigns it fits and leaves out the others', () => {
  const chosen = (['active', 'paused', 'ended'] as const).map((status) => ({ status }))

  expect(chosen.filter((one) => canChange('pause', one))).toEqual([{ status: 'active' }])
  expect(chosen.filter((one) => canChange('end', one))).toHaveLength(2)
})
