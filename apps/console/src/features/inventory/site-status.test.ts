import { expect, test } from 'vitest'
import { siteStatus } from './site-status.ts'

test('a site is active only if it is switched on and its domain is proven', () => {
  expect(siteStatus({ isActive: true, domainState: 'proven' })).toBe('active')
  expect(siteStatus({ isActive: true, domainState: 'unproven' })).toBe('unproven')
  expect(siteStatus({ isActive: false, domainState: 'proven' })).toBe('off')
})
