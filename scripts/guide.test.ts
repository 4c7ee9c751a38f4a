import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { freshDatabase } from '../apps/server/src/testing/services/database.ts'
import { ENVIRONMENT } from '../apps/server/src/testing/services/environment.ts'
import { freePort } from '../apps/server/src/testing/services/redis.ts'
import { codeOf } from '../apps/server/src/testing/factors.ts'
import { scratchFolder } from '../apps/server/src/testing/server.ts'

vi.setConfig({ testTimeout: 180_000 })

const ROOT = path.join(import.meta.dirname, '..')

/** The commands of the operator's guide, block by block. */
async function shellBlocks(): Promise<string[]> {
  const guide = await readFile(path.join(ROOT, 'docs/guides/operator.md'), 'utf8')
  return [...guide.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block]) => block!)
}

const E_MAIL = 'ada@company.example'
const ELSEWHERE = /postgres:\/\/\S+/

test("every command of the operator's guide works as written", async () => {
  const [start, addWebhook, ...others] = await shellBlocks()
  expect(others).toEqual([])
  expect(start).toMatch(ELSEWHERE)
  const { url } = await freshDatabase()

  const placard = type(start!.replace(ELSEWHERE, url), {
    PLACARD_HOME: await scratchFolder(),
    API_PORT: String(await freePort()),
    WORKER_PORT: String(await freePort()),
  })
  const [, port] = await placard.says(/Placard is ready on http:\/\/[^:]+:(\d+)/)
  const [, password] = await placard.says(/shown only this once: (\S+)/)
  const API = `http://127.0.0.1:${port}/api/v1`
  const TOKEN = await signIn(API, password!)
  await setUpAuthenticator(API, TOKEN)
  const webhook = type(addWebhook!, { API, TOKEN })

  const [, secret] = await webhook.says(/"secret":"(whsec_[^"]+)"/)
  expect(secret!.length).toBeGreaterThan(30)
})

async function signIn(api: string, password: string): Promise<string> {
  const answer = await fetch(`${api}/auth/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: E_MAIL, password }),
  })
  const { accessToken } = (await answer.json()) as { accessToken: string }
  return accessToken
}

/** As the console leads to it: production opens nothing else to an operator before. */
async function setUpAuthenticator(api: string, token: string): Promise<void> {
  const post = async (path: string, body?: object) => {
    const answer = await fetch(`${api}/me/factors/${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    expect(answer.status).toBe(200)
    return (await answer.json()) as { secret: string }
  }
  const { secret } = await post('authenticator')
  await post('authenticator/confirm', { name: 'My phone', code: codeOf(secret, new Date()) })
}

/** Everything is installed, so npm need not check. */
const SHELL = {
  ...ENVIRONMENT,
  HOME: process.env.HOME,
  npm_config_ignore_scripts: 'true',
}

/** Runs it in a shell. The test ends all processes it starts. */
function type(lines: string, settings: Readonly<Record<string, string>>) {
  const shell = spawn('sh', ['-e', '-c', lines], {
    cwd: ROOT,
    env: { ...SHELL, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  let said = ''
  shell.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()))
  shell.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
  onTestFinished(() => endGroup(shell))
  return {
    says: (words: RegExp) =>
      vi.waitFor(
        () => {
          const found = words.exec(said)
          if (!found) throw new Error(`"${words}" was not printed: ${said.slice(-2_000)}`)
          return found
        },
        { timeout: 120_000, interval: 100 },
      ),
  }
}

async function endGroup(shell: ChildProcess): Promise<void> {
  if (shell.exitCode !== null || shell.signalCode !== null) return
  const ended = once(shell, 'exit')
  process.kill(-shell.pid!, 'SIGTERM')
  await ended
}
