import * as contract from '@placard/contract/consent-report'
import { DAY_MS } from '@placard/calendar'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { callerOf } from '../../../platform/http/access.ts'
import type { Http } from '../../../platform/http/server.ts'
import type { ConsentSignal } from './consent-counts.ts'
import { sumConsentCounts } from './store-consent-counts.ts'

export interface ConsentReportDeps {
  readonly db: Database
  readonly clock: Clock
}

const DAYS = 28
const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10)

/** The report of consent. The caller gives the prefix. */
export function consentRoutes(http: Http, { db, clock }: ConsentReportDeps): void {
  http.get(
    '/reports/consent',
    {
      config: { access: 'reports:read' },
      schema: {
        operationId: 'readConsentReport',
        summary: 'Read the share of ad requests by the signal that refused something',
        description: 'A publisher sees its own requests, the platform those of all publishers.',
        tags: ['reports'],
        querystring: contract.ConsentReportQuery,
        response: { 200: contract.ConsentReport },
      },
    },
    async (request) => {
      const { isPlatform, accountId } = callerOf(request)
      const { to = dayOf(clock.now().getTime()) } = request.query
      const { from = dayOf(Date.parse(to) - (DAYS - 1) * DAY_MS) } = request.query
      const scope = isPlatform ? undefined : accountId
      const rows = await sumConsentCounts(db, { from, to, accountId: scope })
      const requests = rows.reduce((sum, row) => sum + row.requests, 0)
      const signals = rows.map((row) => ({
        signal: row.signal as ConsentSignal,
        requests: row.requests,
        share: row.requests / requests,
      }))
      return { from, to, requests, signals }
    },
  )
}
