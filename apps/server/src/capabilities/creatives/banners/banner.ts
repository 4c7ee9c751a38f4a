import { isDeepStrictEqual } from 'node:util'
import { formatRecurrence, needsFirstDay, parseRecurrence } from '@placard/calendar'

export type ScheduleStatus = 'evergreen' | 'scheduled' | 'active' | 'expired'

export interface Schedule {
  readonly publishAt?: Date | null
  readonly expiresAt?: Date | null
  readonly recurrenceRule?: string | null
  readonly recurrenceWindowStart?: string | null
  readonly recurrenceWindowEnd?: string | null
}

/**
 * The status follows from the two dates alone. Each decision checks the days and hours on which an
 * active banner shows.
 *
 * | publishAt | expiresAt | status                                    |
 * |-----------|-----------|-------------------------------------------|
 * | none      | none      | evergreen                                 |
 * | any       | reached   | expired                                   |
 * | ahead     | ahead, none | scheduled                               |
 * | reached, none | ahead, none | active                              |
 */
export function scheduleStatusAt({ publishAt, expiresAt }: Schedule, now: Date): ScheduleStatus {
  if (!publishAt && !expiresAt) return 'evergreen'
  if (expiresAt && expiresAt <= now) return 'expired'
  return publishAt && publishAt > now ? 'scheduled' : 'active'
}

/** Free banners, and banners that fill unsold slots, belong to the house. */
export const needsHouse = ({
  source,
  isEvergreenFallback,
}: {
  readonly source: string
  readonly isEvergreenFallback: boolean
}): boolean => isEvergreenFallback || source === 'internal' || source === 'system'

/** Every fault of a schedule. */
export function scheduleFaults(schedule: Schedule) {
  const { publishAt, expiresAt, recurrenceWindowStart, recurrenceWindowEnd } = schedule
  const faults = recurrenceFaults(schedule).map((message) => fault('recurrenceRule', message))
  if (publishAt && expiresAt && publishAt >= expiresAt) {
    faults.push(fault('expiresAt', 'must be after publishAt'))
  }
  if (Boolean(recurrenceWindowStart) !== Boolean(recurrenceWindowEnd)) {
    faults.push(fault('recurrenceWindowEnd', 'is needed with recurrenceWindowStart'))
  }
  return faults
}

function recurrenceFaults({ recurrenceRule, publishAt }: Schedule): readonly string[] {
  if (!recurrenceRule) return []
  const { recurrence, faults } = parseRecurrence(recurrenceRule)
  if (recurrence && needsFirstDay(recurrence) && !publishAt) {
    return ['needs publishAt to count from, because it has an INTERVAL or is WEEKLY without BYDAY']
  }
  return faults
}

/**
 * The rule in its one spelling. A faulty rule stays as it is, so that `scheduleFaults` can name its
 * fault.
 */
export function normaliseRule(text: string): string {
  const { recurrence } = parseRecurrence(text)
  return recurrence ? formatRecurrence(recurrence) : text
}

interface Media {
  readonly format: string
  readonly videoUrl?: string | null
  readonly vastUrl?: string | null
  readonly html?: string | null
}

/** What a banner of its format cannot be shown without. */
export function mediaFaults({ format, videoUrl, vastUrl, html }: Media) {
  if (format === 'video' && !videoUrl && !vastUrl) {
    return [fault('videoUrl', 'or vastUrl is required for the format video')]
  }
  if (format === 'html' && !html) return [fault('html', 'is required for the format html')]
  return []
}

/** What readers see or where it leads them. A site approves exactly this. */
const CONTENT_FIELDS = [
  'title',
  'description',
  'format',
  'primaryImageUrl',
  'primaryImageAlt',
  'mobileImageUrl',
  'videoUrl',
  'videoRenditions',
  'vastUrl',
  'adVerifications',
  'html',
  'mediaVariants',
  'width',
  'height',
  'headline',
  'subheadline',
  'ctaLabel',
  'ctaUrl',
  'adProductCategory',
  'bgColor',
  'fallbackPlaceholderUrl',
] as const

type Content = Readonly<Record<(typeof CONTENT_FIELDS)[number], unknown>>

export const hasNewContent = (before: Content, after: Content): boolean =>
  CONTENT_FIELDS.some((field) => !isDeepStrictEqual(before[field], after[field]))

const fault = (field: string, message: string) => ({ path: `body/${field}`, message })
