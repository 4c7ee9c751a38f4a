import { DAY_MS } from '@placard/calendar'
import * as contract from '@placard/contract/tracking'
import type { Pool } from 'pg'
import type { Clock } from '../../../platform/clock.ts'
import { callerOf } from '../../../platform/http/access.ts'
import type { Principal } from '../../../platform/http/principal.ts'
import type { Http } from '../../../platform/http/server.ts'
import { type LedgerDay, checkLedgerDay } from './ledger.ts'
import { proveLedger } from './proof.ts'
import { listLedgerDays, listProofs } from './store-ledger.ts'

export interface LedgerRouteDeps {
  readonly pool: Pool
  readonly clock: Clock
  /** The campaign, if the caller may see it. Throws its Problem otherwise. */
  getCampaignKey(principal: Principal, campaignId: string): Promise<number>
}

/** The books, and whether they agree. The caller gives the prefix. */
export function ledgerRoutes(http: Http, deps: LedgerRouteDeps): void {
  ledgerRoute(http, deps)
  proofRoutes(http, deps)
}

const DAYS_MAX = 100
const MONTH_MS = 31 * DAY_MS
const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10)

function ledgerRoute(http: Http, { pool, clock, getCampaignKey }: LedgerRouteDeps): void {
  http.get(
    '/budget/ledger/:campaignId',
    {
      config: { access: 'campaigns:read' },
      schema: {
        operationId: 'readCampaignLedger',
        summary: 'A campaign’s spend per budget day, and whether the ledger entries agree',
        tags: ['budgets'],
        params: contract.LedgerParams,
        querystring: contract.LedgerQuery,
        response: { 200: contract.CampaignLedger },
      },
    },
    async (request) => {
      const ownerKey = await getCampaignKey(callerOf(request), request.params.campaignId)
      const nowMs = clock.now().getTime()
      const { fromDay = dayOf(nowMs - MONTH_MS), toDay = dayOf(nowMs + DAY_MS) } = request.query
      const books = await listLedgerDays(pool, {
        scope: 'campaign',
        ownerKey,
        fromDay,
        toDay,
        withEvents: false,
        limit: DAYS_MAX,
      })
      return { days: books.map(presentLedgerDay) }
    },
  )
}

const presentLedgerDay = (books: LedgerDay) => ({
  day: books.day,
  limitMicros: books.limitMicros === undefined ? null : String(books.limitMicros),
  spentMicros: String(books.spentMicros),
  entriesMicros: String(books.entriesMicros),
  allowanceMicros: String(books.allowanceMicros),
  agrees: checkLedgerDay(books).length === 0,
})

const PROOFS_SHOWN = 48

function proofRoutes(http: Http, deps: LedgerRouteDeps): void {
  http.get(
    '/budget/proofs',
    {
      config: { access: 'operations:read' },
      schema: {
        operationId: 'readLedgerProofs',
        summary: 'Results of the hourly ledger proofs, newest first',
        tags: ['budgets'],
        response: { 200: contract.LedgerProofs },
      },
    },
    async () => ({ items: await listProofs(deps.pool, PROOFS_SHOWN) }),
  )
  http.post(
    '/budget/proofs',
    {
      config: { access: 'operations:write' },
      schema: {
        operationId: 'proveLedger',
        summary: 'Prove the ledger of the given days now',
        tags: ['budgets'],
        body: contract.ProveLedger,
        response: { 200: contract.LedgerProofs },
      },
    },
    async (request) => {
      await proveLedger(deps, { withEvents: true, ...request.body })
      return { items: await listProofs(deps.pool, 1) }
    },
  )
}
