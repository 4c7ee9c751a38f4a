import { domainToASCII } from 'node:url'

const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
const DOMAIN_LENGTH_MAX = 253

/**
 * A host name in its one spelling: lower case, letters of any script as punycode, no root dot, no
 * `www.`. Undefined if it is not a host name: an address with a scheme, a port or a path, or a bare
 * number.
 */
export function normaliseDomain(text: string): string | undefined {
  const host = domainToASCII(text.trim().replace(/\.$/, '')).replace(/^www\.(?=.+\.)/, '')
  if (/[\s/:@?#%\\]/.test(text.trim()) || host.length > DOMAIN_LENGTH_MAX) return undefined
  if (host === 'localhost') return host

  const labels = host.split('.')
  const isNamed = labels.length > 1 && /[a-z]/.test(labels.at(-1)!)
  return isNamed && labels.every((label) => LABEL.test(label)) ? host : undefined
}
