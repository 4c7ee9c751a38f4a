import type { ExplainRequest } from '@placard/contract/explain'

export type Question = ExplainRequest

/** The request that the address of the page describes. */
export function questionOf(params: Readonly<Record<string, string | undefined>>): Question {
  const { placement, adId, userId, country, device, language, visitor, segments } = params
  const userContext = {
    ...(country && { country: country.toUpperCase() }),
    ...(device && { device: device as 'mobile' }),
    ...(language && { language }),
    ...(visitor && { loggedIn: visitor === 'signed-in' }),
    ...(segments && {
      segments: segments
        .split(',')
        .map((name) => name.trim())
        .filter(Boolean),
    }),
  }
  return {
    ...(placement && { placement }),
    ...(adId && { adId }),
    ...(userId && { userId }),
    ...(Object.keys(userContext).length > 0 && { userContext }),
  }
}
