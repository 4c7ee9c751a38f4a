import type { RankedCountry } from './country-score.ts'

const SCORE_MIN = 3
const MARGIN_MIN = 0.2
const CHALLENGE_FACTOR = 1.2

/**
 * The country that represents a device session. It is set once one country leads clearly, changes
 * only to a country that is clearly ahead, and is never cleared: a quiet month means nothing.
 */
export function judgeUsualCountry(
  ranked: readonly RankedCountry[],
  incumbent: string | null,
): string | null {
  const [top, second] = ranked
  if (!top || top.country === incumbent) return incumbent
  if (top.score < SCORE_MIN) return incumbent
  if ((top.score - (second?.score ?? 0)) / top.score < MARGIN_MIN) return incumbent

  const held = ranked.find(({ country }) => country === incumbent)?.score ?? 0
  return top.score >= CHALLENGE_FACTOR * held ? top.country : incumbent
}
