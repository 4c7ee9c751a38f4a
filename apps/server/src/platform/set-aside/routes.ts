import * as contract from '@placard/contract/operations'
import type { Database } from '../database/connect.ts'
import type { Http } from '../http/server.ts'
import { listRefused } from './store.ts'

/** Rows set aside and why, for operators. */
export function setAsideRoutes(http: Http, { db }: { readonly db: Database }): void {
  http.get(
    '/operations/set-aside-rows',
    {
      config: { access: 'operations:read' },
      schema: {
        operationId: 'readSetAsideRows',
        summary: 'Rows set aside while everything else continues, oldest first',
        tags: ['operations'],
        response: { 200: contract.SetAsideRows },
      },
    },
    async () => ({
      items: (await listRefused(db)).map(({ publicId = null, since, ...row }) => ({
        ...row,
        id: publicId,
        since: since.toISOString(),
      })),
    }),
  )
}
