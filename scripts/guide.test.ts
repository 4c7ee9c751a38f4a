import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test, vi } from 'vitest'
import { freshDatabase } from '../apps/server/src/testing/services/database.ts'
import { answersIn, scriptOf, stepsOf } from '../apps/server/src/testing/guide-steps.ts'
import { ENVIRONMENT } from '../apps/server/src/testing/services/environment.ts'
import { startMailServer } from '../apps/server/src/testing/services/mail-server.ts'
import { freePort } from '../apps/server/src/testing/services/redis.ts'
import { codeOf } from '../apps/server/src/testing/factors.ts'
import { scratchFolder } from '../apps/server/src/testing/server.ts'

vi.setConfig({ testTimeout: 240_000 })

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

/** The steps of the guide use these addresses. */
const MAIL_SERVER = /smtps:\/\/\S+/
const ADDRESS = 'http://127.0.0.1:8080'

test('the guide for the first day leads from an empty database to the first counted impression', async () => {
  const { steps, others } = await stepsOf('docs/guides/first-day.md')
  const [start, ...rest] = others
  expect(rest).toEqual([])
  expect(start).toMatch(MAIL_SERVER)
  const mail = await startMailServer()
  const port = await freePort()
  const address = ADDRESS.replace('8080', String(port))
  const here = start!.replace(MAIL_SERVER, mail.url).replace(ADDRESS, address)

  const placard = type(here, {
    PLACARD_HOME: await scratchFolder(),
    DATABASE_URL: (await freshDatabase()).url,
    API_PORT: String(port),
    WORKER_PORT: String(await freePort()),
  })
  await placard.says(/Placard is ready on/)
  const [, password] = await placard.says(/shown only this once: (\S+)/)
  const pasted = scriptOf(steps)
    .replaceAll(ADDRESS, address)
    .replace('recovery-codes.json', '/dev/null')
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', pasted], {
    cwd: ROOT,
    env: { ...SHELL, PASSWORD: password },
    timeout: 150_000,
  })

  const answers = answersIn(stdout)
  for (const [index, { command, expected }] of steps.entries()) {
    expect({ command, answer: answers[index] }).toMatchObject({ command, answer: expected })
  }
  expect(mail.mails.map(({ to }) => to)).toContainEqual([E_MAIL])
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
