import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Redis } from 'ioredis'
import { onTestFinished, vi } from 'vitest'
import { type AtEnd } from './database.ts'

export interface TestRedis {
  readonly url: string
  readonly port: number
  readonly pid: number
  /** Kills it; all its data is lost. */
  kill(): Promise<void>
  /** Restarts it empty on the same port. */
  restart(): Promise<void>
}

/** A Redis on a free port without files, stopped after the test. */
export async function freshRedis(atEnd: AtEnd = onTestFinished): Promise<TestRedis> {
  const port = await freePort()
  const url = `redis://127.0.0.1:${port}`
  let server = await startServer(port)
  const kill = async () => {
    if (server.exitCode !== null || server.signalCode !== null) return
    const ended = once(server, 'exit')
    server.kill('SIGKILL')
    await ended
  }
  atEnd(kill)
  return {
    url,
    port,
    kill,
    get pid() {
      return server.pid!
    },
    async restart() {
      await kill()
      server = await startServer(port)
    },
  }
}

export async function startServer(
  port: number,
  more: readonly string[] = [],
): Promise<ChildProcess> {
  const options = [
    '--port',
    String(port),
    '--bind',
    '127.0.0.1',
    '--save',
    '',
    '--appendonly',
    'no',
  ]
  const server = spawn('redis-server', [...options, ...more], { stdio: 'ignore' })
  const failed = once(server, 'exit').then(() => {
    throw new Error(`redis-server did not start on port ${port}`)
  })
  failed.catch(() => {})
  await Promise.race([untilItAnswers(port), failed])
  return server
}

async function untilItAnswers(port: number): Promise<void> {
  const client = new Redis(port, { retryStrategy: () => 10, maxRetriesPerRequest: null })
  client.on('error', () => {})
  await client.ping()
  client.disconnect()
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

const SLOTS = 16_384

/** A Cluster of three nodes without replicas, as one address that names all three. */
export async function freshCluster(atEnd: AtEnd = onTestFinished): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'placard-cluster-'))
  const ports = [await freePort(), await freePort(), await freePort()]
  const servers = await Promise.all(
    ports.map((port) =>
      startServer(port, [
        '--cluster-enabled',
        'yes',
        '--cluster-port',
        String(port + busOffset(port)),
        '--cluster-config-file',
        path.join(folder, `${port}.conf`),
      ]),
    ),
  )
  const nodes = ports.map((port) => new Redis(port))
  for (const [i, node] of nodes.entries()) {
    const first = Math.floor((SLOTS * i) / nodes.length)
    const last = Math.floor((SLOTS * (i + 1)) / nodes.length) - 1
    await node.call('CLUSTER', 'ADDSLOTSRANGE', first, last)
    const busPort = ports[0]! + busOffset(ports[0]!)
    // A node that meets itself may mistake itself for another for up to 15 seconds.
    if (i > 0) await node.call('CLUSTER', 'MEET', '127.0.0.1', ports[0]!, busPort)
  }
  for (const node of nodes) await untilWhole(node)
  for (const node of nodes) node.disconnect()
  atEnd(async () => {
    await Promise.all(
      servers.map(async (server) => {
        const ended = once(server, 'exit')
        server.kill('SIGKILL')
        await ended
      }),
    )
    await rm(folder, { recursive: true, force: true })
  })
  return ports.map((port) => `redis://127.0.0.1:${port}`).join(',')
}

/** The cluster bus needs a second port, and ports end at 65,535. */
const busOffset = (port: number) => (port > 50_000 ? -10_000 : 10_000)

const untilWhole = (node: Redis) =>
  vi.waitFor(
    async () => {
      const state = String(await node.call('CLUSTER', 'INFO'))
      if (!state.includes('cluster_state:ok')) throw new Error('the Cluster is not whole yet')
      if (!state.includes('cluster_size:3')) throw new Error('a node is missing')
    },
    { timeout: 20_000, interval: 50 },
  )
