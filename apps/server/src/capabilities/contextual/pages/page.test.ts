import { describe, expect, test } from 'vitest'
import { canonicalUrl, isFresh, PAGE_LIFE_MS } from './page.ts'

const rules = { domain: 'news.example', keepUrlQueries: false }
const keeping = { ...rules, keepUrlQueries: true }

describe('the normal form of an address', () => {
  test.each([
    ['https://News.Example/a#comments', 'https://news.example/a'],
    ['https://news.example:443/a/', 'https://news.example/a'],
    ['https://news.example//a//b', 'https://news.example/a/b'],
    ['https://news.example', 'https://news.example/'],
    ['https://www.news.example/a?page=2', 'https://www.news.example/a'],
    ['https://reader:secret@news.example/a', 'https://news.example/a'],
  ])('%s is %s', (given, form) => {
    expect(canonicalUrl(given, rules)).toBe(form)
  })

  test('an address of this machine has one spelling', () => {
    const here = { ...rules, domain: 'localhost' }

    expect(canonicalUrl('http://127.0.0.1:8080/demo', here)).toBe('http://localhost:8080/demo')
  })

  test('if queries make pages, tracking parameters are dropped and the others sorted', () => {
    expect(canonicalUrl('https://news.example/a?z=1&utm_source=x&a=2&fbclid=3', keeping)).toBe(
      'https://news.example/a?a=2&z=1',
    )
  })

  test.each([
    'https://elsewhere.example/a',
    'https://news.example.evil.example/',
    'https://blog.news.example/',
    'ftp://news.example/a',
    'javascript:alert(1)',
    'not an address',
    `https://news.example/${'a'.repeat(2_000)}`,
  ])('%s is no page of the site', (given) => {
    expect(canonicalUrl(given, rules)).toBeUndefined()
  })
})

describe('what is known of a page', () => {
  const now = new Date('2026-11-15T12:00:00Z')
  const ago = (ms: number) => new Date(now.getTime() - ms)

  test('a classifier’s result is fresh for 48 hours', () => {
    expect(isFresh({ classifiedAt: ago(PAGE_LIFE_MS), correctedAt: null }, now)).toBe(true)
    expect(isFresh({ classifiedAt: ago(PAGE_LIFE_MS + 1), correctedAt: null }, now)).toBe(false)
    expect(isFresh({ classifiedAt: null, correctedAt: null }, now)).toBe(false)
  })

  test('a person’s correction stays fresh', () => {
    expect(isFresh({ classifiedAt: null, correctedAt: ago(PAGE_LIFE_MS * 9) }, now)).toBe(true)
  })
})
