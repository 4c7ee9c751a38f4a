import type { CampaignDelivery } from '@placard/contract/delivery'
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
  const { placement, adId, userId, country, device, language, visitor, segments, more } = params
  const userContext = {
    ...(more && readRequest(more)),
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

type Params = Readonly<Record<string, string>>

/** A request as the form has it. What the form has no field for goes along as it is. */
export function formOf({
  placement,
  adId,
  userContext,
}: NonNullable<CampaignDelivery['question']>): Params {
  const { country, device, language, loggedIn, segments, page: _, ...others } = userContext
  const more = Object.values(others).some((value) => value !== undefined && value !== null)
  const entries = {
    placement,
    adId,
    country,
    device,
    language,
    segments: Array.isArray(segments) ? segments.join(', ') : undefined,
    visitor: typeof loggedIn === 'boolean' ? (loggedIn ? 'signed-in' : 'guest') : undefined,
    more: more ? JSON.stringify(others) : undefined,
  }
  return Object.fromEntries(
    Object.entries(entries).flatMap(([name, value]) =>
      typeof value === 'string' && value !== '' ? [[name, value]] : [],
    ),
  )
}
