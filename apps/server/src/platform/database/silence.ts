import type { Socket } from 'node:net'
import type { Pool, PoolClient } from 'pg'

/**
 * Breaks a connection on which nothing was said for so long while somebody waits: where the server hangs,
 * its own timeout does too. The driver's `query_timeout` would do as well, but what it has timed outlives
 * its answer, texts and all, until the whole heap is collected: in a burst that was most of all garbage.
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
