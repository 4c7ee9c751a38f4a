import { createFetcher } from '../../platform/http/fetcher.ts'
import { bindJob, type Jobs } from '../../platform/jobs/job.ts'
import { type CapabilityModule, type ProcessBase, routeGroup } from '../../platform/module.ts'
import type { ResourceDeps } from '../../platform/resources/index.ts'
import { type Config, readableHostsOf } from '../../settings/config.ts'
import type { ClaimedDomain } from './domains/domain.ts'
import { checkDomainJob, checkDomainsJob } from './domains/jobs.ts'
import { createResolver, lookAt } from './domains/look.ts'
import { type InventoryDeps, inventoryRoutes } from './routes.ts'
import { sellerRoutes } from './sellers/routes.ts'

export type InventoryApiDeps = Pick<ProcessBase, keyof ResourceDeps> &
  Pick<InventoryDeps, 'whenSlotAppears' | 'jobs'> & {
    readonly config: Pick<Config, 'SELLER_DOMAIN' | 'SELLER_CONTACT' | 'PLACARD_MODE'>
  }

export const INVENTORY_JOBS = [checkDomainsJob, checkDomainJob]

/** The line is short; a page that answers in its place may be long. */
const FILE_BYTES_MAX = 100_000
const FILE_TIMEOUT_MS = 5_000

export interface InventoryWorkerDeps extends ProcessBase {
  readonly config: Pick<Config, 'CRAWL_ALLOWED_HOSTS' | 'PLACARD_MODE' | 'API_PORT'>
  readonly jobs: Jobs
}

/** Looks whether domains are their publishers'. */
export function inventoryWorker(deps: InventoryWorkerDeps): CapabilityModule {
  const fetcher = createFetcher({
    allowedHosts: readableHostsOf(deps.config),
    bytesMax: FILE_BYTES_MAX,
    timeoutMs: FILE_TIMEOUT_MS,
  })
  const looking = { resolveTexts: createResolver(), fetcher }
  const checking = { ...deps, look: (claim: ClaimedDomain) => lookAt(looking, claim) }
  return {
    name: 'inventory',
    jobs: [bindJob(checkDomainsJob, deps, '*/5 * * * *'), bindJob(checkDomainJob, checking)],
    stop: () => fetcher.close(),
  }
}

/** Publishers, sites, placements and slots; who may sell them. */
export const inventoryApi = (deps: InventoryApiDeps): CapabilityModule => ({
  name: 'inventory',
  routes: [
    routeGroup('/api/v1/admin', inventoryRoutes, deps),
    routeGroup('', sellerRoutes, { db: deps.db, seller: sellerOf(deps.config) }),
  ],
})

function sellerOf({ SELLER_DOMAIN, SELLER_CONTACT, PLACARD_MODE }: InventoryApiDeps['config']) {
  const isDemo = PLACARD_MODE === 'demo'
  return {
    domain: SELLER_DOMAIN ?? (isDemo ? 'placard.example' : undefined),
    contact: SELLER_CONTACT,
  }
}
