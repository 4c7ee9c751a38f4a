import type { Socket } from 'node:net'
import type { Pool, PoolClient } from 'pg'

/**
 * Breaks a connection that stays silent for too long while a statement waits: if the server hangs, its
 * own timeout hangs too. We do not use the driver's `query_timeout`: it keeps each query's text until the
 * next full garbage collection, most of all garbage in a burst.
 */
export function breakSilent(pool: Pool, silenceMsMax: number): void {
  const inUse = new WeakSet<PoolClient>()
  pool.on('connect', (client) => {
    const socket = client.connection.stream as Socket
    socket.setTimeout(silenceMsMax, () => {
      if (inUse.has(client)) socket.destroy()
    })
  })
  pool.on('acquire', (client) => void inUse.add(client))
  pool.on('release', (_error, client) => void inUse.delete(client))
}
