import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { judgeApproval, type ApprovalAction, type ApprovalStatus } from '../approvals/approval.ts'
import { hasNewContent, mediaFaults, scheduleFaults, scheduleStatusAt } from './banner.ts'

const now = new Date('2026-06-15T12:00:00Z')
const before = new Date('2026-06-15T11:59:59Z')
const later = new Date('2026-06-15T12:00:01Z')

describe('the schedule status of a banner', () => {
  test.each([
    ['evergreen', null, null],
    ['scheduled', later, null],
    ['scheduled', later, new Date('2026-07-01')],
    ['active', now, null],
    ['active', before, later],
    ['active', null, later],
    ['expired', before, now],
    ['expired', null, now],
  ])('is %s when publishAt is %o and expiresAt is %o', (status, publishAt, expiresAt) => {
    expect(scheduleStatusAt({ publishAt, expiresAt }, now)).toBe(status)
  })

  test('time only moves a banner forward: scheduled, active, expired', () => {
    const ORDER = ['scheduled', 'active', 'expired']
    const date = fc.date({ noInvalidDate: true })
    const dates = fc.tuple(fc.option(date), fc.option(date), date, date)

    fc.assert(
      fc.property(dates, ([publishAt, expiresAt, one, other]) => {
        fc.pre(publishAt !== null || expiresAt !== null)
        const [early, late] = one <= other ? [one, other] : [other, one]
        const then = scheduleStatusAt({ publishAt, expiresAt }, early)
        const next = scheduleStatusAt({ publishAt, expiresAt }, late)
        expect(ORDER.indexOf(next)).toBeGreaterThanOrEqual(ORDER.indexOf(then))
      }),
    )
  })

  test('a banner is active exactly from its publication until it expires', () => {
    const date = fc.date({ noInvalidDate: true })

    fc.assert(
      fc.property(date, date, date, (publishAt, expiresAt, now) => {
        const isInside = publishAt <= now && now < expiresAt
        fc.pre(publishAt < expiresAt)
        expect(scheduleStatusAt({ publishAt, expiresAt }, now) === 'active').toBe(isInside)
      }),
    )
  })
})

test('every fault of a schedule is named at once', () => {
  const faults = scheduleFaults({
    publishAt: now,
    expiresAt: now,
    recurrenceRule: 'FREQ=HOURLY;COUNT=1',
    recurrenceWindowStart: '08:00:00',
  })

  expect(faults.map(({ path }) => path)).toEqual([
    'body/recurrenceRule',
    'body/recurrenceRule',
    'body/expiresAt',
    'body/recurrenceWindowEnd',
  ])
})

test('a rule that counts from the publication needs one', () => {
  const recurrenceRule = 'FREQ=DAILY;INTERVAL=2'

  expect(scheduleFaults({ recurrenceRule, publishAt: now })).toEqual([])
  expect(scheduleFaults({ recurrenceRule })).toHaveLength(1)
})

test('a film needs its address or a tag, an html banner its html, a picture nothing more', () => {
  expect(mediaFaults({ format: 'video' })).toHaveLength(1)
  expect(mediaFaults({ format: 'html' })).toHaveLength(1)
  expect(mediaFaults({ format: 'video', videoUrl: 'https://cdn.example/a.mp4' })).toEqual([])
  expect(mediaFaults({ format: 'video', vastUrl: 'https://ads.example/vast' })).toEqual([])
  expect(mediaFaults({ format: 'single_image' })).toEqual([])
})

test('content is what readers see and where it leads; schedule, frequency and measurement are not', () => {
  const row = { title: 'Sale', mediaVariants: { de: 'https://a.example' } } as never
  const changed = (change: object) => hasNewContent(row, { ...(row as object), ...change } as never)

  expect(changed({ headline: 'New' })).toBe(true)
  expect(changed({ ctaUrl: 'https://other.example' })).toBe(true)
  expect(changed({ mediaVariants: { de: 'https://b.example' } })).toBe(true)
  expect(changed({ mediaVariants: { de: 'https://a.example' } })).toBe(false)
  expect(changed({ priority: 9, publishAt: now, utmSource: 'x', isActive: false })).toBe(false)
})

test('approvals move as their table says, and in no other way', () => {
  const statuses: ApprovalStatus[] = ['pending', 'approved', 'rejected']
  const actions: ApprovalAction[] = ['approve', 'reject', 'revoke']

  const table = actions.map((action) => statuses.map((status) => judgeApproval(status, action)))

  expect(table).toEqual([
    ['approved', undefined, undefined],
    ['rejected', undefined, undefined],
    [undefined, 'pending', 'pending'],
  ])
})
