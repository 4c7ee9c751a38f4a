import proxyAddr from '@fastify/proxy-addr'
import fc from 'fast-check'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { trustIn, waysBehind } from './addresses.ts'

test('the caller is the one whom the framework finds, however many proxies are named', () => {
  const trust = trustIn(['10.0.0.0/8', '::1'])
  const waysOf = waysBehind(trust)
  const address = fc.oneof(fc.ipV4(), fc.ipV6(), fc.constantFrom('10.1.2.3', '::1', 'unknown', ''))
  const forwarded = fc.option(
    fc.oneof(
      fc.array(address, { maxLength: 4 }).map((all) => all.join(', ')),
      address.map((one) => ` ${one} `),
    ),
    { nil: undefined },
  )
  fc.assert(
    fc.property(address, forwarded, (remoteAddress, text) => {
      const socket = { remoteAddress } as Socket
      const headers = text === undefined ? {} : { 'x-forwarded-for': text }
      expect(waysOf(socket)(headers).ip).toBe(
        proxyAddr({ headers, socket } as unknown as IncomingMessage, trust) ?? '',
      )
    }),
    { numRuns: 2_000 },
  )
})
