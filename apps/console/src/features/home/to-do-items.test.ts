import { expect, test } from 'vitest'
import {
  alertItems,
  approvalItems,
  domainItems,
  failedJobItems,
  proposalItems,
  reviewItems,
  sessionItems,
  setAsideItems,
} from './to-do-items.ts'
import type { Alert, Approval } from '../../api/types.ts'

const alert = (given: Partial<Alert> = {}): Alert => ({
  id: 'a1',
  kind: 'under-delivery',
  campaignId: 'c1',
  campaignName: 'Autumn',
  connectionId: null,
  reason: 'Only 1.00 EUR of 100.00 EUR is spent.',
  openedAt: '2026-06-15T12:00:00Z',
  closedAt: null,
  ...given,
})
const rows = (count: number) => ({ items: Array.from({ length: count }, () => ({})) as Approval[] })

test('an open alert is an urgent to-do that leads to its campaign, a closed one is none', () => {
  expect(alertItems([alert(), alert({ id: 'a2', closedAt: '2026-06-15T13:00:00Z' })])).toEqual([
    {
      key: 'a1',
      kind: 'under-delivery',
      isUrgent: true,
      title: 'Autumn is under-delivering',
      text: 'Only 1.00 EUR of 100.00 EUR is spent.',
      to: '/campaigns/c1',
    },
  ])
})

test('an alert about a connection, or about a campaign the reader may not see, names a channel', () => {
  const nameless = { campaignName: null }
  const [ofConnection] = alertItems([
    alert({ ...nameless, kind: 'sync-failing', campaignId: null }),
  ])
  const [unseen] = alertItems([alert({ ...nameless, campaignId: 'c9' })])

  expect(ofConnection).toMatchObject({
    title: 'A channel is not syncing',
    to: '/operations?tab=syncs',
  })
  expect(unseen).toMatchObject({ title: 'A channel is under-delivering' })
})

test('waiting rows are one line with their number, and a full page says "More than"', () => {
  expect(approvalItems(rows(1), true)[0].title).toBe('1 banner waits for approval')
  expect(approvalItems(rows(3), true)[0].title).toBe('3 banners wait for approval')
  expect(approvalItems({ ...rows(50), nextCursor: 'next' }, true)[0].title).toBe(
    'More than 50 banners wait for approval',
  )
  expect(reviewItems(rows(2))[0].title).toBe('2 users to review')
  expect(proposalItems({ items: [] }, true)).toEqual([])
})

test('the text of a to-do says whose decision it is', () => {
  const textFor = (canDecide: boolean) => approvalItems(rows(1), canDecide)[0].text

  expect(textFor(true)).toContain('until you decide')
  expect(textFor(false)).toContain('until the sites approve')
})

test('suspicious sessions, failed jobs and set-aside entries are urgent, reviews are not', () => {
  const failed = { items: [{ reason: 'No answer from the mail server' }] }

  expect(sessionItems(rows(1))[0].isUrgent).toBe(true)
  expect(failedJobItems(failed)[0]).toMatchObject({
    isUrgent: true,
    title: '1 failed job',
    text: 'No answer from the mail server',
  })
  expect(setAsideItems(failed)[0]).toMatchObject({ isUrgent: true, title: '1 entry is set aside' })
  expect(reviewItems(rows(1))[0].isUrgent).toBe(false)
})

test('each site without a proven domain is a line of its own', () => {
  const site = { id: 's1', name: 'Meridian', domain: 'meridian.example' }

  expect(domainItems([site, { ...site, id: 's2' }]).map(({ to }) => to)).toEqual([
    '/sites/s1',
    '/sites/s2',
  ])
  expect(domainItems([site])[0].title).toBe('Meridian shows no ads yet')
})
