import { expect, test } from 'vitest'
import { landingUrl, withoutQuery } from './destination.ts'

const to = (url: string, parameters: Record<string, string> = {}, macros = {}) =>
  landingUrl({ url, parameters, macros })
const utm = { utm_source: 'placard', utm_medium: 'display' }

test.each([
  ['https://shop.example', 'https://shop.example?utm_source=placard&utm_medium=display'],
  [
    'https://shop.example/a?b=1',
    'https://shop.example/a?b=1&utm_source=placard&utm_medium=display',
  ],
  [
    'https://shop.example/a#top',
    'https://shop.example/a?utm_source=placard&utm_medium=display#top',
  ],
  [
    'https://shop.example/?a=%2F+x#/r?q=1',
    'https://shop.example/?a=%2F+x&utm_source=placard&utm_medium=display#/r?q=1',
  ],
  [
    'https://shop.example/?utm_source=own',
    'https://shop.example/?utm_source=own&utm_medium=display',
  ],
])('parameters are added to %s without breaking it', (url, landing) => {
  expect(to(url, utm)).toBe(landing)
})

test('an address to which nothing is added stays as it was written', () => {
  expect(to('https://shop.example/A%20b?x=1#y')).toBe('https://shop.example/A%20b?x=1#y')
})

test('macros are filled in address and parameters, escaped; unknown ones stay', () => {
  const macros = { decisionId: 'd 1', campaignId: 'c&2' }

  expect(to('https://shop.example/{campaignId}?click=%7BdecisionId%7D&x={other}', {}, macros)).toBe(
    'https://shop.example/c%262?click=d%201&x={other}',
  )
  expect(to('https://shop.example', { utm_content: 'a {campaignId}' }, macros)).toBe(
    'https://shop.example?utm_content=a%20c%262',
  )
})

test.each([
  'javascript:alert(1)',
  'data:text/html,x',
  'mailto:a@b.example',
  '//shop.example',
  '/relative',
  'https://shop.example/\r\nset-cookie: a=b',
  'https://',
  '',
])('%j is no place to go', (url) => {
  expect(to(url)).toBeUndefined()
})

test('an address of another scheme is a place to go where the operator allows it', () => {
  const store = 'market://details?id=example.shop'
  const app = { url: store, parameters: {}, macros: {} }

  expect(landingUrl(app)).toBeUndefined()
  expect(landingUrl(app, new Set(['https', 'market']))).toBe(store)
})

test.each([
  ['https://a.example/p?token=secret#x', 'https://a.example/p'],
  ['https://a.example/p', 'https://a.example/p'],
  ['https://a.example/\0', undefined],
  [undefined, undefined],
])('of the page %j only %j is kept', (url, kept) => {
  expect(withoutQuery(url)).toBe(kept)
})
