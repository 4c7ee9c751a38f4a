import type { ExplainRequest } from '@placard/contract/explain'

export type Question = ExplainRequest

/** A request in JSON. Undefined if the text is none. */
export function readRequest(text: string): Question | undefined {
  try {
    const request: unknown = JSON.parse(text)
    return typeof request === 'object' && request !== null && !Array.isArray(request)
      ? request
      : undefined
  } catch {
    return undefined
  }
}

/** The request in the page's address: pasted, or from the form. */
export function questionOf(params: Readonly<Record<string, string | undefined>>): Question {
  const pasted = params['request'] && readRequest(params['request'])
  if (pasted) return pasted
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
