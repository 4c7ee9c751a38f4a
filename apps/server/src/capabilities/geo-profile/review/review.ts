import { DAY_MS } from '@placard/calendar'
import { sumScores, totalOf, type UserProfile } from '../profile/profile.ts'

/** Thresholds for recommending a review of a declared country. */
export interface ReviewRule {
  /** A first trip must not look like a move, so a new account is only observed for this long. */
  readonly acquaintanceMs: number
  readonly evidenceDaysMin: number
  readonly evidenceSlotsMin: number
  readonly declaredShareMax: number
  readonly candidateShareMin: number
  /** From this share on, the declared country counts as used again. */
  readonly clearShareMin: number
}

export const REVIEW_RULE: ReviewRule = {
  acquaintanceMs: 24 * DAY_MS,
  evidenceDaysMin: 7,
  evidenceSlotsMin: 20,
  declaredShareMax: 0.08,
  candidateShareMin: 0.6,
  clearShareMin: 0.5,
}

export interface ReviewState {
  readonly isRecommended: boolean
  readonly snoozedUntilMs: number | null
}

export interface ReviewEvidence {
  readonly candidateCountry: string
  readonly declaredShare: number
  readonly candidateShare: number
  readonly evidenceDays: number
  readonly evidenceSlots: number
}

export interface PresentEvidence extends Omit<ReviewEvidence, 'candidateCountry'> {
  /** Null: only the declared country is used. */
  readonly candidateCountry: string | null
}

/** The evidence at an instant, even if no review follows. Undefined without recent observations. */
export function evidenceAt(profile: UserProfile, atMs: number): PresentEvidence | undefined {
  const sums = sumScores(profile, { atMs, by: 'score' })
  const total = totalOf(sums)
  if (total === 0) return undefined
  const { declaredCountry } = profile
  const others = [...sums].filter(([country]) => country !== declaredCountry)
  const [candidate] = others.toSorted(([, one], [, other]) => other - one)
  return {
    candidateCountry: candidate?.[0] ?? null,
    declaredShare: (declaredCountry === null ? 0 : (sums.get(declaredCountry) ?? 0)) / total,
    candidateShare: (candidate?.[1] ?? 0) / total,
    ...activityOf(profile),
  }
}

const activityOf = ({ windowsByDay }: UserProfile) => ({
  evidenceDays: windowsByDay.filter((windows) => windows > 0).length,
  evidenceSlots: windowsByDay.reduce((sum, windows) => sum + windows, 0),
})

export type ReviewVerdict =
  | { readonly kind: 'keep' }
  | { readonly kind: 'clear'; readonly reasonCode: 'declared_country_in_use' }
  | {
      readonly kind: 'recommend'
      readonly reasonCode: 'declared_country_unused'
      readonly evidence: ReviewEvidence
    }

const KEEP: ReviewVerdict = { kind: 'keep' }

/** Whether a person should review the declared country. Only a change of the flag is a verdict. */
export function judgeReview(
  profile: UserProfile,
  state: ReviewState,
  { atMs, rule = REVIEW_RULE }: { atMs: number; rule?: ReviewRule },
): ReviewVerdict {
  const { declaredCountry } = profile
  if (declaredCountry === null) return KEEP
  if (!state.isRecommended && (state.snoozedUntilMs ?? 0) > atMs) return KEEP

  const sums = sumScores(profile, { atMs, by: 'score' })
  const total = totalOf(sums)
  if (total === 0) return KEEP
  const declaredShare = (sums.get(declaredCountry) ?? 0) / total
  if (state.isRecommended) {
    return declaredShare >= rule.clearShareMin
      ? { kind: 'clear', reasonCode: 'declared_country_in_use' }
      : KEEP
  }
  if (declaredShare >= rule.declaredShareMax) return KEEP
  if (atMs - (profile.firstSeenMs ?? atMs) < rule.acquaintanceMs) return KEEP

  const candidate = [...sums].find(
    ([country, sum]) => country !== declaredCountry && sum / total >= rule.candidateShareMin,
  )
  if (!candidate) return KEEP
  const { evidenceDays, evidenceSlots } = activityOf(profile)
  if (evidenceDays < rule.evidenceDaysMin || evidenceSlots < rule.evidenceSlotsMin) return KEEP
  return {
    kind: 'recommend',
    reasonCode: 'declared_country_unused',
    evidence: {
      candidateCountry: candidate[0],
      declaredShare,
      candidateShare: candidate[1] / total,
      evidenceDays,
      evidenceSlots,
    },
  }
}
