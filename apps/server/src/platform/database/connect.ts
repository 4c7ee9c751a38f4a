import { drizzle, type NodePgQueryResultHKT } from 'drizzle-orm/node-postgres'
import type { PgDatabase } from 'drizzle-orm/pg-core'
import { Pool, type PoolClient } from 'pg'
import { failureOf } from './failure.ts'

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
  /** A connection that broke, idle or at work; the pool replaces it, the operator should know. */
  onLost?(error: Error): void
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
  // The pool listens to idle connections only; without a listener a cut one would end the process.
  pool.on('connect', (client) => client.on('error', (error) => options.onLost?.(error)))
  pool.on('error', () => {})
  return { db: databaseOn(pool, options), pool, close: () => pool.end() }
}

const clients = new WeakMap<Database, PoolClient>()

/** The connection under an open transaction, for what the query builder cannot say. */
export function clientOf(transaction: Database): PoolClient {
  const client = clients.get(transaction)
  if (client === undefined) throw new Error('only a transaction has a connection of its own')
  return client
}

/**
 * The library forgets a connection on which "begin" fails: the pool would be one short for ever.
 * Here each goes back, and one that broke is closed, so that nobody gets it again.
 */
function databaseOn(pool: Pool, { onQuery }: ConnectOptions): Database {
  const config = onQuery ? { logger: { logQuery: onQuery } } : {}
  const db: Database = drizzle(pool, config)
  db.transaction = async (work, isolation) => {
    const client = await pool.connect()
    let isLost = false
    try {
      return await drizzle(client, config).transaction((open) => {
        clients.set(open, client)
        return work(open)
      }, isolation)
    } catch (error) {
      isLost = failureOf(error) === 'unavailable'
      throw error
    } finally {
      client.release(isLost)
    }
  }
  return db
}
