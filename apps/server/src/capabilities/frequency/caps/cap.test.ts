import { expect, test } from 'vitest'
import { judgeTargets } from './cap.ts'

test('a cap has exactly one target', () => {
  expect(judgeTargets({ adId: 1n })).toBe('one')
  expect(judgeTargets({ adId: null, campaignId: 1n, advertiserId: null })).toBe('one')
  expect(judgeTargets({ advertiserId: 0n })).toBe('one')
  expect(judgeTargets({})).toBe('none')
  expect(judgeTargets({ adId: 1n, advertiserId: 1n })).toBe('several')
})
