import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import type { AtEnd } from './database.ts'

export interface Cuttable {
  /** The same service, through a proxy that can be cut. */
  readonly url: string
  /** Breaks every connection and accepts no more. */
  cut(): void
  mend(): void
  /** Open connections hang from now on; new ones work. */
  hang(): void
}

/** A TCP proxy between a test's processes and a service. */
export async function cuttable(url: string, atEnd: AtEnd = onTestFinished): Promise<Cuttable> {
  const target = new URL(url)
  const sockets = new Set<Socket>()
  let isCut = false
  const keep = (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
  }
  const server = createServer((near) => {
    keep(near)
    if (isCut) {
      near.destroy()
      return
    }
    const far = connect(Number(target.port), target.hostname)
    keep(far)
    near.pipe(far).pipe(near)
    near.on('close', () => far.destroy())
    far.on('close', () => near.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const breakAll = () => {
    for (const socket of sockets) socket.destroy()
  }
  atEnd(async () => {
    breakAll()
    server.close()
  })
  const through = new URL(url)
  through.hostname = '127.0.0.1'
  through.port = String((server.address() as AddressInfo).port)
  return {
    url: through.href,
    cut() {
      isCut = true
      breakAll()
    },
    mend: () => void (isCut = false),
    hang() {
      for (const socket of sockets) socket.unpipe().pause()
    },
  }
}
