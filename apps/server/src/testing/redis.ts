import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { Redis } from 'ioredis'
import { onTestFinished } from 'vitest'
import { type AtEnd } from './database.ts'

export interface TestRedis {
  readonly url: string
  readonly port: number
  readonly pid: number
  /** Ends it at once, and all that it knew is gone. */
  kill(): Promise<void>
  /** Starts it again, empty, on the same port. */
  restart(): Promise<void>
}

/** A Redis of the test's own on a free port, without files; gone when the test is over. */
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
