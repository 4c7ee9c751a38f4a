import * as contract from '@placard/contract/operations'
import type { Database } from '../database/connect.ts'
import type { Http } from '../http/server.ts'
import { listNodes } from './store.ts'

export interface NodeRouteDeps {
  readonly db: Database
  /** The node that answers this request. */
  readonly nodeId: string | undefined
}

/** Three missed heartbeats. */
const SILENT_SECONDS = 30

/** Running processes, for operators. */
export function nodeRoutes(http: Http, { db, nodeId }: NodeRouteDeps): void {
  http.get(
    '/nodes',
    {
      config: { access: 'operations:read' },
      schema: {
        operationId: 'readNodes',
        summary: 'Running processes and their state',
        tags: ['operations'],
        response: { 200: contract.NodeList },
      },
    },
    async () => ({
      items: (await listNodes(db)).map(({ startedAt, lastSeenAt, facts, ...node }) => ({
        ...node,
        startedAt: startedAt.toISOString(),
        lastSeenAt: lastSeenAt.toISOString(),
        state: node.silentSeconds > SILENT_SECONDS ? ('silent' as const) : ('alive' as const),
        isAnswering: node.id === nodeId,
        memoryBytes: facts.memoryBytes,
        index: facts.index ?? null,
      })),
    }),
  )
}
