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
 * The status follows from the two dates alone; on which days and at what hours the banner shows
 * while it runs is asked at each decision.
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

/** What is free, or fills what nobody buys, is the house's own. */
export const needsHouse = ({
  source,
  isEvergreenFallback,
}: {
  readonly source: string
  readonly isEvergreenFallback: boolean
}): boolean => isEvergreenFallback || source === 'internal' || source === 'system'

/** Everything that is wrong with a schedule. */
export function scheduleFaults(schedule: Schedule) {
  const { publishAt, expiresAt, recurrenceWindowStart, recurrenceWindowEnd } = schedule
  const faults = recurrenceFaults(schedule).map((message) => fault('recurrenceRule', message))
  if (publishAt && expiresAt && publishAt >= expiresAt) {
    faults.push(fault('expiresAt', 'must be after publishAt'))
  }
  if (Boolean(recurrenceWindowStart) !== Boolean(recurrenceWindowEnd)) {
    faults.push(fault('recurrenceWindowEnd', 'must come together with recurrenceWindowStart'))
  }
  return faults
}

function recurrenceFaults({ recurrenceRule, publishAt }: Schedule): readonly string[] {
  if (!recurrenceRule) return []
  const { recurrence, faults } = parseRecurrence(recurrenceRule)
  if (recurrence && needsFirstDay(recurrence) && !publishAt) {
    return ['needs publishAt to count from: it has an INTERVAL, or is WEEKLY without BYDAY']
  }
  return faults
}

/** The rule in its one form; a faulty one stays as it is, for `scheduleFaults` to name. */
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

/** What a banner of its format can't be shown without. */
export function mediaFaults({ format, videoUrl, vastUrl, html }: Media) {
  if (format === 'video' && !videoUrl && !vastUrl) {
    return [fault('videoUrl', 'or vastUrl is needed by the format video')]
  }
  if (format === 'html' && !html) return [fault('html', 'is needed by the format html')]
  return []
}

/** What readers see or where it leads them: a site approved exactly this. */
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
