import * as contract from '@placard/contract/budgets'
import { type Micros, toDecimal } from '@placard/money'
import { callerOf } from '../../../platform/http/access.ts'
import { runCommand } from '../../../platform/http/command.ts'
import type { Http } from '../../../platform/http/server.ts'
import { actorOf } from '../../../platform/resources/index.ts'
import { getPacer, type PacerDeps, pacerStatistics, pageOfPacers, resetDay } from './operations.ts'
import {
  type Pacer,
  type PacerStatistics,
  plannedMicros,
  remainingMicros,
  utilizationPercent,
} from './pacer.ts'

/** Budgets of today, for people who run campaigns, under `/api/v1/admin`. */
export function pacerRoutes(http: Http, deps: PacerDeps): void {
  listRoute(http, deps)
  getRoute(http, deps)
  resetRoute(http, deps)
  statisticsRoute(http, deps)
}

function listRoute(http: Http, deps: PacerDeps): void {
  http.get(
    '/budget/pacers',
    {
      config: { access: 'campaigns:read' },
      schema: {
        operationId: 'listBudgetPacers',
        summary: 'Budgets of today, latest change first',
        description: 'Page numbers reach the first 10,000; continue with the cursor.',
        tags: ['budgets'],
        querystring: contract.PacerQuery,
        response: { 200: contract.BudgetPacerPage },
      },
    },
    async (request) => {
      const { rows, ...page } = await pageOfPacers(deps, callerOf(request), request.query)
      return { items: rows.map(presentPacer), ...page }
    },
  )
}

function getRoute(http: Http, deps: PacerDeps): void {
  http.get(
    '/budget/campaigns/:campaignId',
    {
      config: { access: 'campaigns:read' },
      schema: {
        operationId: 'getBudgetPacer',
        summary: "A campaign's budget of today",
        tags: ['budgets'],
        params: contract.PacerParams,
        response: { 200: contract.BudgetPacer },
      },
    },
    async (request) =>
      presentPacer(await getPacer(deps, actorOf(request), request.params.campaignId)),
  )
}

function resetRoute(http: Http, deps: PacerDeps): void {
  http.put(
    '/budget/campaigns/:campaignId/reset',
    {
      config: { access: 'operations:write' },
      schema: {
        operationId: 'resetBudgetPacer',
        summary: 'Let a campaign spend its day again',
        description:
          'Adds an allowance equal to today’s spend. `spentToday` then reads 0, and the ledger keeps both. Lifetime and advertiser limits still apply.',
        tags: ['budgets'],
        params: contract.PacerParams,
        response: { 200: contract.BudgetPacer },
      },
    },
    (request, reply) =>
      runCommand(deps, { request, reply }, async (db) => {
        const pacer = await resetDay({ ...deps, db }, actorOf(request), request.params.campaignId)
        return { status: 200, body: presentPacer(pacer) }
      }),
  )
}

function statisticsRoute(http: Http, deps: PacerDeps): void {
  http.get(
    '/budget/statistics',
    {
      config: { access: 'campaigns:read' },
      schema: {
        operationId: 'getBudgetStatistics',
        summary: 'Totals of today’s budgets per currency',
        tags: ['budgets'],
        response: { 200: contract.BudgetStatistics },
      },
    },
    async (request) => {
      const { currencies, ...all } = await pacerStatistics(deps, callerOf(request))
      return {
        ...presentStatistics(all),
        currencies: currencies.map(({ currency, ...sums }) => ({
          currency,
          ...presentStatistics(sums),
        })),
      }
    },
  )
}

const presentPacer = (pacer: Pacer) => ({
  id: pacer.campaignId,
  campaignId: pacer.campaignId,
  campaignName: pacer.campaignName,
  campaignStatus: pacer.campaignStatus,
  currency: pacer.currency,
  day: pacer.day,
  ...amount('dailyBudget', pacer.dailyMicros),
  spentToday: decimal(pacer.spentMicros),
  spentTodayMicros: String(pacer.spentMicros),
  plannedMicros: textOrNull(plannedMicros(pacer)),
  ...amount('remainingBudget', remainingMicros(pacer)),
  utilizationPercent: utilizationPercent(pacer),
  leasedMicros: String(pacer.leasedMicros),
  strategy: pacer.strategy,
  lastUpdated: pacer.lastUpdated.toISOString(),
})

const presentStatistics = (sums: PacerStatistics) => ({
  totalCampaigns: sums.campaigns,
  ...amount('totalDailyBudget', sums.dailyMicros ?? null),
  ...amount('totalSpentToday', sums.spentMicros ?? null),
  averageUtilization: sums.averagePercent,
  campaignsExceeded: sums.exceeded,
})

const textOrNull = (micros: bigint | null) => (micros === null ? null : String(micros))
const decimal = (micros: bigint): number => Number(toDecimal(micros as Micros))

/** The amount as a decimal for people, and as exact micros beside it. */
function amount<Name extends string>(name: Name, micros: bigint | null) {
  return {
    [name]: micros === null ? null : decimal(micros),
    [`${name}Micros`]: textOrNull(micros),
  } as Record<Name, number | null> & Record<`${Name}Micros`, string | null>
}
