import { systemUptime } from '../../platform/clock.ts'
import { bindJob } from '../../platform/jobs/job.ts'
import {
  backgroundWork,
  type CapabilityModule,
  type ProcessBase,
  routeGroup,
  warnOf,
} from '../../platform/module.ts'
import type { ResourceDeps } from '../../platform/resources/index.ts'
import type { Timers } from '../../platform/background/timers.ts'
import type { Config } from '../../settings/config.ts'
import { getCampaign, getCampaignKey } from '../campaigns/index.ts'
import type { BookOptions, BudgetBook } from './book/book.ts'
import { createLeasedBook, type LeasedBook } from './book/leased-book.ts'
import { keepSweeping } from './book/sweeping.ts'
import { startLeaseRenewal } from './leases/lease-renewal.ts'
import { openLeasePool } from './leases/store-leases.ts'
import { limitsSubscriber } from './ledger/limits-feed.ts'
import { proveLedgerJob } from './ledger/proof.ts'
import { ledgerRoutes } from './ledger/routes.ts'
import { listSpent } from './ledger/store-spent.ts'
import { measureBudgets } from './metrics.ts'
import { pacerRoutes } from './pacers/routes.ts'

export const BUDGET_JOBS = [proveLedgerJob]

export type BudgetsApiDeps = Pick<ProcessBase, keyof ResourceDeps | 'pool'>

/** Pacers, the ledger and its proof. */
export const budgetsApi = (deps: BudgetsApiDeps): CapabilityModule => ({
  name: 'budgets',
  routes: [
    routeGroup('/api/v1/admin', pacerRoutes, { ...deps, getCampaign }),
    routeGroup('/api/v1/admin', ledgerRoutes, {
      ...deps,
      getCampaignKey: getCampaignKey.bind(undefined, deps.db),
    }),
  ],
})

export interface BudgetsServingDeps extends Pick<
  ProcessBase,
  'db' | 'pool' | 'url' | 'clock' | 'random' | 'timers' | 'log' | 'metrics'
> {
  readonly config: Pick<
    Config,
    'BUDGET_LEASE_SECONDS' | 'RESERVATION_PERCENT_PER_READER' | 'RESERVATION_PERCENT_UNVOUCHED'
  >
  readonly onVerdictChange: NonNullable<BookOptions['onVerdictChange']>
}

export interface BudgetsServing {
  readonly book: BudgetBook
}

/** The node's book: it spends what the node has leased. Its limits follow the catalogue. */
export async function budgetsServing(
  deps: BudgetsServingDeps,
): Promise<CapabilityModule & BudgetsServing> {
  const { pool, clock, timers, config } = deps
  const holdShares = {
    perHolder: config.RESERVATION_PERCENT_PER_READER / 100,
    unvouched: config.RESERVATION_PERCENT_UNVOUCHED / 100,
  }
  const leased = createLeasedBook({ ...deps, holdShares, uptime: systemUptime })
  const { book } = leased
  const limits = limitsSubscriber({ ...deps, onReset: leased.refresh })
  await limits.onReload()
  book.restore(await listSpent(pool, clock.now()))
  return {
    name: 'budgets',
    book,
    followers: [limits],
    ...backgroundWork(async (running) => {
      await openLeases(deps, leased, running)
      const sweeping = keepSweeping(book, timers)
      running.defer(() => sweeping.stop())
    }),
  }
}

/** With very many campaigns, the rest is leased while the first requests come. */
const FIRST_LEASES_MS = 3_000

/** Leases before the node accepts requests, so that the first request finds money. */
async function openLeases(
  deps: BudgetsServingDeps,
  leased: LeasedBook,
  running: AsyncDisposableStack,
): Promise<void> {
  const { url, metrics, timers, config } = deps
  const pool = openLeasePool(url)
  running.defer(() => pool.end())
  const keeper = startLeaseRenewal({
    ...leased,
    pool,
    timers,
    uptime: systemUptime,
    leaseMs: config.BUDGET_LEASE_SECONDS * 1_000,
    onError: warnOf(deps, 'leases could not be renewed'),
  })
  running.defer(() => keeper.stop())
  measureBudgets(metrics, { ...leased, keeper })
  await Promise.race([keeper.refill(), elapsed(timers, FIRST_LEASES_MS)])
}

const elapsed = (timers: Timers, ms: number) =>
  new Promise<void>((resolve) => void timers.after(ms, resolve))

export const budgetsWorker = (deps: Pick<ProcessBase, 'pool' | 'clock'>): CapabilityModule => ({
  name: 'budgets',
  jobs: [bindJob(proveLedgerJob, deps, '57 * * * *')],
})
