import { expect, test } from 'vitest'
import { isPublicAddress } from '../../../platform/http/guarded-lookup.ts'
import { judgeUrl } from '../../../platform/http/guarded-agent.ts'
import { isHopeless, judgeAnswer, pauseMsAfter } from './webhook.ts'

test('pauses grow from five seconds to four hours, give or take a random fifth', () => {
  expect(pauseMsAfter(1, 0.5)).toBe(5_000)
  expect(pauseMsAfter(1, 0)).toBe(4_000)
  expect(pauseMsAfter(1, 0.999_999)).toBe(6_000)
  expect(pauseMsAfter(8, 0.5)).toBe(4 * 3_600_000)
  expect(pauseMsAfter(50, 0.5)).toBe(4 * 3_600_000)
})

test('only an answer of 2xx is a delivery, and the last failed attempt gives up', () => {
  const third = { attempts: 3, attemptsMax: 3 }

  expect(judgeAnswer({ status: 204 }, third)).toBe('delivered')
  expect(judgeAnswer({ status: 302 }, { attempts: 1, attemptsMax: 3 })).toBe('retry')
  expect(judgeAnswer({ error: 'timeout' }, { attempts: 2, attemptsMax: 3 })).toBe('retry')
  expect(judgeAnswer({ status: 500 }, third)).toBe('dead')
})

test('an address is https without credentials, or of a host that the operator lists', () => {
  const isListed = (host: string) => host === 'inside.example'

  expect(judgeUrl('https://shop.example/hook', isListed)).toBe('may-call')
  expect(judgeUrl('http://inside.example/hook', isListed)).toBe('may-call')
  expect(judgeUrl('http://shop.example/hook', isListed)).toBe('http-refused')
  expect(judgeUrl('https://me:secret@inside.example/', isListed)).toBe('credentials-refused')
})

test.each([
  '127.0.0.1',
  '10.1.2.3',
  '172.16.0.1',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '0.0.0.0',
  '224.0.0.1',
  '255.255.255.255',
  '::1',
  '::',
  'fe80::1',
  'fd00::1',
  '::ffff:127.0.0.1',
  '64:ff9b::7f00:1',
  '[::1]',
])('%s is not a public address', (address) => {
  expect(isPublicAddress(address)).toBe(false)
})

test('ordinary addresses are public', () => {
  expect(isPublicAddress('93.184.216.34')).toBe(true)
  expect(isPublicAddress('2606:2800:220:1:248:1893:25c8:1946')).toBe(true)
})

test('an endpoint that has accepted nothing for three days is given up', () => {
  const since = new Date('2026-06-15T12:00:00Z')

  expect(isHopeless(since, new Date('2026-06-18T11:59:59Z'))).toBe(false)
  expect(isHopeless(since, new Date('2026-06-18T12:00:00Z'))).toBe(true)
})
