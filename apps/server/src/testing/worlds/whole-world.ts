import type { Logger } from 'pino'
import { onTestFinished } from 'vitest'
import { composeServing } from '../../compose/serving.ts'
import type { Timers } from '../../platform/background/timers.ts'
import {
  addUser,
  scratchFolder,
  signInAs,
  startApiOn,
  testBase,
  type TestServer,
} from '../server.ts'
import type { Connection } from '../../platform/database/connect.ts'
import type { TestDeps } from '../world.ts'

export interface WholeOptions {
  readonly settings?: Record<string, string>
  readonly timers?: Timers
  readonly log?: Logger
  /** Address of the database where events are settled, if the connection can be cut. */
  readonly ingestUrl?: string
}

export const BROWSER = {
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
}

type Ground = Connection & { url: string; readonly deps: TestDeps }

/** One node's API with everything in it, and an operator. */
export async function startWhole(world: Ground, options: WholeOptions = {}) {
  const { deps, url } = world
  const { timers, log, ingestUrl = url } = options
  const home = options.settings?.['PLACARD_HOME'] ?? (await scratchFolder())
  const settings = { ...options.settings, PLACARD_HOME: home }
  const { base } = await testBase(world, {
    settings,
    deps,
    ...(timers && { timers }),
    ...(log && { log }),
  })
  const serving = await composeServing(base, ingestUrl)
  onTestFinished(() => serving.stop())
  const server = { ...(await startApiOn(base, { serving })), deps, storage: base.storage }
  const { metrics } = base
  const { http } = server
  const signedIn = signInOnce(server)

  const get = (url: string, headers: Record<string, string> = BROWSER) =>
    http.inject({ method: 'GET', url: pathOf(url), headers })
  const post = (url: string, payload: object, headers: Record<string, string> = BROWSER) =>
    http.inject({ method: 'POST', url, payload, headers })
  return {
    ...server,
    connection: world,
    home,
    serving,
    metrics,
    get,
    post,
    serveAd: async (payload: object = { placement: 'home-top' }, headers = BROWSER) => {
      const answer = await post('/api/v1/ads/serve', payload, headers)
      return { statusCode: answer.statusCode, ...(answer.body && answer.json<ServedLinks>()) }
    },
    adminPost: async (url: string, payload: object) => {
      const { headers } = await signedIn()
      const answer = await http.inject({ method: 'POST', url, payload, headers })
      return answer.json<Record<string, unknown>>()
    },
    /** Of the operator's account. */
    upload: async (bytes: Buffer, type: string) => {
      const { headers } = await signedIn()
      const answer = await http.inject({
        method: 'POST',
        url: '/api/v1/admin/assets',
        payload: bytes,
        headers: { ...headers, 'content-type': type },
      })
      return answer.json<{ readonly filePath: string }>()
    },
    admin: async (path: string) => {
      const { headers } = await signedIn()
      const answer = await http.inject({ url: `/api/v1/admin${path}`, headers })
      return answer.json<Record<string, unknown>>()
    },
  }
}

/** Signs an operator in, and again after a while: often enough, but below the sign-in limit. */
function signInOnce(server: Pick<TestServer, 'http' | 'deps'>) {
  const { clock } = server.deps
  let operator: Promise<{ email: string }> | undefined
  let kept: { headers: Record<string, string>; atMs: number } | undefined
  return async () => {
    const atMs = clock.now().getTime()
    if (kept && atMs - kept.atMs < SIGNED_IN_MS) return kept
    operator ??= addUser(server.deps, 'operator')
    const { headers } = await signInAs(server, (await operator).email)
    kept = { headers, atMs }
    return kept
  }
}

const SIGNED_IN_MS = 600_000

export interface ServedLinks {
  readonly impressionUrl: string
  readonly clickUrl: string
  readonly eventToken: string
  readonly destinationUrl: string | null
}

function pathOf(url: string): string {
  if (url.startsWith('/')) return url
  const { pathname, search } = new URL(url)
  return pathname + search
}
