export interface Utm {
  readonly source: string | null
  readonly medium: string | null
  readonly campaign: string | null
  readonly content: string | null
}

/**
 * The address that a click leads to: the given one with what it lacks of the banner's UTM values. The
 * query and the fragment it has stay as they were written, letter by letter: shops sign them.
 */
export function landingUrl(url: string, utm: Utm): string {
  const hash = url.indexOf('#')
  const base = hash === -1 ? url : url.slice(0, hash)
  const fragment = hash === -1 ? '' : url.slice(hash)
  const question = base.indexOf('?')
  const query = question === -1 ? '' : base.slice(question + 1)

  let added = ''
  added += parameter(query, 'utm_source', utm.source)
  added += parameter(query, 'utm_medium', utm.medium)
  added += parameter(query, 'utm_campaign', utm.campaign)
  added += parameter(query, 'utm_content', utm.content)
  if (added === '') return url

  if (question === -1) return `${base}?${added.slice(1)}${fragment}`
  const isOpen = query === '' || query.endsWith('&')
  return base + (isOpen ? added.slice(1) : added) + fragment
}

/** A value that the address already has was put there on purpose. */
function parameter(query: string, name: string, value: string | null): string {
  if (value === null || value === '' || hasParameter(query, name)) return ''
  return `&${name}=${encodeURIComponent(value)}`
}

function hasParameter(query: string, name: string): boolean {
  if (!query.includes(name)) return false
  return query.split('&').some((part) => part === name || part.startsWith(`${name}=`))
}
