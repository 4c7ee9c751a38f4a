import { expect, test } from 'vitest'
import { cronFault } from './cron.ts'

test.each([
  '* * * * *',
  '*/5 * * * *',
  '0 3 * * 1-5',
  '0 0 29 2 *',
  '30 1 1,15 * *',
  '0 0 * * SUN',
])('%s is a schedule', (text) => expect(cronFault(text)).toBeUndefined())

test.each([
  ['59 23 31 4,6,9,11 *', 'names a time that never comes'],
  ['99 99 * * *', 'is not a cron schedule'],
  ['0 0 30 2 *', 'is not a cron schedule'],
  ['0 0 * * 8', 'is not a cron schedule'],
  ['a b c d e', 'is not a cron schedule'],
  ['* * * *', 'must have five fields'],
  ['* * * * * *', 'must have five fields'],
  ['', 'must have five fields'],
])('%s is refused: it %s', (text, fault) => expect(cronFault(text)).toContain(fault))
