import { normaliseDomain } from '../domain-name.ts'

/** Variables of ads.txt 1.1 that a line may set. */
const VARIABLE = /^(OWNERDOMAIN|MANAGERDOMAIN|CONTACT|SUBDOMAIN|INVENTORYPARTNERDOMAIN)=(.+)$/i
const DOMAIN_VARIABLE = /DOMAIN$/i
const ACCOUNT = /^[\x21-\x2b\x2d-\x7e]{1,128}$/
const CERTIFICATION = /^[\w.-]{1,64}$/
const RELATION = /^(DIRECT|RESELLER)$/i

/** What is wrong with a line of ads.txt; undefined for a good one. */
export function lineFault(text: string): string | undefined {
  const line = text.trim()
  if (line === '') return 'must not be empty'
  if (line.startsWith('#')) return undefined
  const [statement = ''] = line.split('#')
  const variable = VARIABLE.exec(statement.trim())
  if (variable) return variableFault(variable[1]!, variable[2]!.trim())
  const [domain = '', account = '', relation = '', certification, ...rest] = statement
    .split(',')
    .map((field) => field.trim())
  if (rest.length > 0 || relation === '') return SHAPE
  if (normaliseDomain(domain) === undefined) return `"${domain}" is not a domain`
  if (!ACCOUNT.test(account)) return 'needs the account at the seller as second field'
  if (!RELATION.test(relation)) return `"${relation}" must be DIRECT or RESELLER`
  if (certification !== undefined && !CERTIFICATION.test(certification)) {
    return `"${certification}" is not a certification id`
  }
  return undefined
}

const SHAPE =
  'must be "domain, account, DIRECT or RESELLER", a variable such as OWNERDOMAIN=, or a # comment'

function variableFault(name: string, value: string): string | undefined {
  if (!DOMAIN_VARIABLE.test(name)) return undefined
  const [domain = ''] = value.split(',')
  return normaliseDomain(domain) === undefined ? `"${domain}" is not a domain` : undefined
}

export interface AuthorisedSite {
  readonly domain: string
  readonly adsTxtLines: readonly string[]
  readonly publisherId: string
  readonly ownerDomain: string | null
}

/** The file of a site: the platform may sell it for its publisher, and whoever else the site names. */
export function adsTxt(site: AuthorisedSite, platformDomain: string): string {
  const { domain, adsTxtLines, publisherId, ownerDomain } = site
  const namesOwner = adsTxtLines.some((line) => /^OWNERDOMAIN=/i.test(line.trim()))
  return [
    `# Authorised sellers of ${domain}`,
    `${platformDomain}, ${publisherId}, DIRECT`,
    ...(ownerDomain !== null && !namesOwner ? [`OWNERDOMAIN=${ownerDomain}`] : []),
    ...adsTxtLines.map((line) => line.trim()),
    '',
  ].join('\n')
}
