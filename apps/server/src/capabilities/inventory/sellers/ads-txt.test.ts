import { expect, test } from 'vitest'
import { adsTxt, lineFault } from './ads-txt.ts'
import { sellersJson } from './sellers-json.ts'

test.each([
  'exchange.example, 1234, DIRECT',
  'exchange.example, 1234, reseller, f08c47fec0942fa0',
  'exchange.example,pub-12,RESELLER # the second exchange',
  '# a comment',
  'OWNERDOMAIN=publisher.example',
  'managerdomain=manager.example, FR',
  'CONTACT=ads@publisher.example',
  'SUBDOMAIN=news.publisher.example',
])('"%s" may stand in ads.txt', (line) => {
  expect(lineFault(line)).toBeUndefined()
})

test.each([
  ['', 'must not be empty'],
  ['exchange.example', 'must be "domain, account'],
  ['exchange.example, 1234', 'must be "domain, account'],
  ['exchange.example, 1234, DIRECT, abc, def', 'must be "domain, account'],
  ['no domain, 1234, DIRECT', '"no domain" is not a domain'],
  ['exchange.example, , DIRECT', 'needs the account'],
  ['exchange.example, 1234, PARTNER', '"PARTNER" must be DIRECT or RESELLER'],
  ['exchange.example, 1234, DIRECT, a b', '"a b" is not a certification id'],
  ['OWNERDOMAIN=publisher', '"publisher" is not a domain'],
])('"%s" is refused: %s', (line, fault) => {
  expect(lineFault(line)).toContain(fault)
})

const SITE = { domain: 'shop.example', publisherId: 'p-1', ownerDomain: 'owner.example' }

test('the file names the platform first, then the owner, then the lines of the site', () => {
  const site = { ...SITE, adsTxtLines: ['exchange.example, 1, RESELLER'] }

  expect(adsTxt(site, 'placard.example').split('\n')).toEqual([
    '# Authorised sellers of shop.example',
    'placard.example, p-1, DIRECT',
    'OWNERDOMAIN=owner.example',
    'exchange.example, 1, RESELLER',
    '',
  ])
})

test('a site that names its owner itself keeps its own word: the file has one owner', () => {
  const site = { ...SITE, adsTxtLines: ['ownerdomain=other.example'] }

  expect(adsTxt(site, 'placard.example').match(/ownerdomain=/gi)).toHaveLength(1)
})

test('a confidential seller is listed without name and domain', () => {
  const seller = { publisherId: 'p-1', name: 'Nordlicht', domain: 'nordlicht.example' }

  const { sellers } = sellersJson(
    [
      { ...seller, isConfidential: false },
      { ...seller, isConfidential: true },
    ],
    undefined,
  )

  expect(sellers).toEqual([
    {
      seller_id: 'p-1',
      seller_type: 'PUBLISHER',
      is_confidential: 0,
      name: 'Nordlicht',
      domain: 'nordlicht.example',
    },
    { seller_id: 'p-1', seller_type: 'PUBLISHER', is_confidential: 1 },
  ])
})
