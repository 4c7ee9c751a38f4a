import { expect, test } from 'vitest'
import { tagText } from './tag-text.ts'

const plan = {
  origin: 'https://ads.example',
  slug: 'home-top',
  layoutType: 'full_static',
  width: 600,
  height: 300,
  siteId: undefined,
} as const

test('the element reserves the space of its banners before the script loads', () => {
  expect(tagText(plan)).toContain('style="max-width:600px;aspect-ratio:600/300"')
  expect(tagText({ ...plan, layoutType: 'half_pair' })).toContain('aspect-ratio:1212/300')
  expect(tagText({ ...plan, layoutType: 'sidebar_stack' })).toContain('aspect-ratio:600/924')
})

test('a layout over the page reserves no space', () => {
  expect(tagText({ ...plan, layoutType: 'popup' })).not.toContain('style')
})

test('a tag that names its site has it on the script', () => {
  expect(tagText({ ...plan, siteId: 'site-1' })).toContain('/tag.js" data-site="site-1"></script>')
})
