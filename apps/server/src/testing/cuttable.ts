import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

export interface Cuttable {
  /** The same database, by a way that can be cut. */
  readonly url: string
  cut(): Promise<void>
  mend(): Promise<void>
}

/** A way to a database that a test can cut and mend, as when PostgreSQL is killed and comes back. */
export async function cuttableWay(url: string): Promise<Cuttable> {
  const target = new URL(url)
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname)
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => sockets.delete(socket))
    }
    near.pipe(far).pipe(near)
  })
  const open = async (port: number) => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    return (server.address() as AddressInfo).port
  }
  const cut = async () => {
    if (!server.listening) return
    server.close()
    for (const socket of sockets) socket.destroy()
    await once(server, 'close')
  }
  const port = await open(0)
  onTestFinished(cut)

  const way = new URL(url)
  way.hostname = '127.0.0.1'
  way.port = String(port)
  return { url: way.href, cut, mend: async () => void (await open(port)) }
}
