import { drizzle, type NodePgQueryResultHKT } from 'drizzle-orm/node-postgres'
import type { PgDatabase } from 'drizzle-orm/pg-core'
import { Pool } from 'pg'

/** The pool or an open transaction: a store function need not know which. */
export type Database = PgDatabase<NodePgQueryResultHKT>

export interface Connection {
  readonly db: Database
  readonly pool: Pool
  close(): Promise<void>
}

export interface ConnectOptions {
  readonly url: string
  readonly connectionsMax: number
  readonly statementTimeoutMs: number
  /** A pooled connection that breaks while idle; the pool replaces it, the operator should know. */
  onIdleError?(error: Error): void
  /** Is told every statement before it runs: for those who explain them. */
  onQuery?(text: string, parameters: unknown[]): void
}

export function connect(options: ConnectOptions): Connection {
  const pool = new Pool({
    connectionString: options.url,
    max: options.connectionsMax,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 30_000,
    statement_timeout: options.statementTimeoutMs,
    lock_timeout: 5_000,
    idle_in_transaction_session_timeout: 60_000,
    application_name: 'placard',
  })
  pool.on('error', (error) => options.onIdleError?.(error))
  const { onQuery } = options
  const db = drizzle(pool, onQuery ? { logger: { logQuery: onQuery } } : {})
  return { db, pool, close: () => pool.end() }
}
