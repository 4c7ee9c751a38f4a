import { Resolver } from 'node:dns/promises'
import type { Fetcher } from '../../../platform/http/fetcher.ts'
import {
  type ClaimedDomain,
  filesOf,
  hasLine,
  isFileOf,
  recordNameOf,
  type Sighting,
} from './domain.ts'

/** The texts at a name, each as the pieces that DNS has it in. */
export type ResolveTexts = (name: string) => Promise<readonly (readonly string[])[]>

export interface LookDeps {
  readonly resolveTexts: ResolveTexts
  readonly fetcher: Pick<Fetcher, 'fetch'>
}

const TIMEOUT_MS = 2_000
const TRIES = 2

/** Asks the machine's own name servers, or those given, for four seconds at most. */
export function createResolver(servers?: readonly string[]): ResolveTexts {
  return async (name) => {
    const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES })
    if (servers) resolver.setServers(servers)
    return resolver.resolveTxt(name)
  }
}

/** Looks for the line of a site in DNS, then in its file. */
export async function lookAt(deps: LookDeps, site: ClaimedDomain): Promise<Sighting> {
  const faults: string[] = []
  const look = async (fault: Promise<string | undefined>) => {
    const found = await fault
    if (found !== undefined) faults.push(found)
    return found === undefined
  }
  if (site.domain !== 'localhost' && (await look(faultOfRecord(deps, site))))
    return { proof: 'dns', faults: [] }
  for (const address of filesOf(site)) {
    if (await look(faultOfFile(deps, site, address))) return { proof: 'file', faults: [] }
  }
  return { proof: undefined, faults }
}

async function faultOfRecord({ resolveTexts }: LookDeps, { domain, token }: ClaimedDomain) {
  const name = recordNameOf(domain)
  try {
    const records = await resolveTexts(name)
    if (records.some((pieces) => hasLine(pieces.join(''), token))) return undefined
    return `The TXT records of ${name} do not have the line.`
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return code === 'ENOTFOUND' || code === 'ENODATA'
      ? `${name} has no TXT record.`
      : `The name server did not answer for ${name} (${code ?? 'unknown'}).`
  }
}

async function faultOfFile(
  { fetcher }: LookDeps,
  { domain, token }: ClaimedDomain,
  address: string,
) {
  try {
    const { status, url, body } = await fetcher.fetch(address)
    if (status !== 200) return `${address} answered ${status}.`
    if (!isFileOf(domain, url)) return `${address} leads elsewhere.`
    return hasLine(body, token) ? undefined : `${address} does not have the line.`
  } catch {
    return `${address} could not be read.`
  }
}
