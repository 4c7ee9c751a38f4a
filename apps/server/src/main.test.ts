import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import path from 'node:path'
import { Client } from 'pg'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { freshDatabase } from './testing/services/database.ts'
import { demoTemplate } from './testing/worlds/demo.ts'
import { startByScript, startPlacard } from './testing/services/process.ts'
import { scratchFolder } from './testing/server.ts'

vi.setConfig({ testTimeout: 120_000 })

const PRODUCTION = {
  PLACARD_MODE: 'production',
  PLACARD_ROLE: 'api',
  LOG_LEVEL: 'silent',
  JWT_SECRET: 'a secret for tests, long enough to sign',
  USER_KEY_SECRET: 'a secret for tests, long enough to hash',
  ENCRYPTION_SECRET: 'a secret for tests, long enough to encrypt',
  TRACKING_KEYS: '1:a-secret-of-the-tests-long-enough-to-seal',
}

/** Expects an exit code of failure. Returns the one sentence for the operator. */
async function refusalOf(settings: Readonly<Record<string, string>>): Promise<string> {
  const { code, stderr } = await startPlacard({ START_PATIENCE_SECONDS: '0', ...settings }).ended
  const lines = stderr.trim().split('\n')
  expect({ code, lines: lines.length }).toEqual({ code: 1, lines: 1 })
  return lines[0]!
}

describe('Placard refuses to start with one sentence when', () => {
  test('settings are wrong or missing: each of them is named', async () => {
    const settings = { PLACARD_MODE: 'production', API_PORT: 'eighty', DATABASE_URL: 'mysql://x' }

    expect(await refusalOf(settings)).toMatch(/API_PORT.*DATABASE_URL.*JWT_SECRET/)
  })

  test('other machines could reach a demo, whose passwords are public', async () => {
    expect(await refusalOf({ API_HOST: '0.0.0.0' })).toMatch(
      /lets other machines reach a demo.*DEMO_PUBLIC=on/,
    )
  })

  test('its folder cannot be written', async () => {
    const file = path.join(await scratchFolder(), 'a-file')
    await writeFile(file, '')

    expect(await refusalOf({ PLACARD_HOME: path.join(file, 'home') })).toMatch(
      /The folder .*a-file.* cannot be written/,
    )
  })

  test('the database does not exist', async () => {
    const url = 'postgres://ada:secret-word@127.0.0.1:1/placard'

    const refusal = await refusalOf({ ...PRODUCTION, DATABASE_URL: url })

    expect(refusal).toMatch(/The database at 127\.0\.0\.1:1 cannot be used .*check DATABASE_URL/)
    expect(refusal).not.toContain('secret-word')
  })

  test('the port is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    onTestFinished(() => void other.close())
    const { port } = other.address() as AddressInfo
    const { url } = await freshDatabase()

    expect(await refusalOf({ ...PRODUCTION, DATABASE_URL: url, API_PORT: String(port) })).toContain(
      `Port ${port} is in use`,
    )
  })

  test('another api process uses the database and there is no Redis', async () => {
    const { url } = await freshDatabase()
    const first = startPlacard({ ...PRODUCTION, DATABASE_URL: url })
    await first.says('Placard is ready')

    expect(await refusalOf({ ...PRODUCTION, DATABASE_URL: url })).toContain(
      'Another api process uses this database',
    )

    first.kill('SIGTERM')
    expect(await first.ended).toMatchObject({ code: 0, stderr: '' })
  })
})

test('after kill -9 it starts again with its data, and SIGTERM leaves no process behind', async () => {
  const home = await scratchFolder()
  const settings = { ...PRODUCTION, PLACARD_HOME: home }
  const first = startPlacard(settings)
  await first.says('Placard is ready')
  await onEmbedded(home, `insert into outbox_cursors (sink, xid, id) values ('kept', '1', 1)`)

  first.kill('SIGKILL')
  await first.ended
  const second = startPlacard(settings)
  const address = /http:\S+/.exec(await second.says('Placard is ready'))![0]

  expect((await fetch(`${address}/health`)).status).toBe(200)
  expect(await onEmbedded(home, 'select sink from outbox_cursors')).toEqual([{ sink: 'kept' }])
  second.kill('SIGTERM')
  expect(await second.ended).toMatchObject({ code: 0, stderr: '' })
  expect(existsSync(path.join(home, 'postgres/data/postmaster.pid'))).toBe(false)
  expect(processesOf(home)).toEqual([])
})

test('a demo that other machines reach on purpose warns about it', async () => {
  const demo = startPlacard({
    API_HOST: '0.0.0.0',
    DEMO_PUBLIC: 'on',
    DEMO_VISITS_PER_SECOND: '0',
    PLACARD_HOME: await scratchFolder(),
    DATABASE_URL: (await freshDatabase(await demoTemplate())).url,
  })

  const said = await demo.says('Other machines reach this demo, and its passwords are public')
  expect(said).toContain('Placard is ready')
})

describe('a first start that is stopped leaves no PostgreSQL behind', () => {
  const STAGES = [
    'Creating the database',
    'Applied',
    'Creating the demo: people',
    'Creating the demo: the week before today',
  ]

  test.each(STAGES)('during "%s"', async (stage) => {
    const home = await scratchFolder()
    const placard = startByScript({ PLACARD_HOME: home, DEMO_VISITS_PER_SECOND: '0' })
    await placard.says(stage)

    placard.kill('SIGTERM')

    const { code, stderr, stdout } = await placard.ended
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/Stopping the start\nPlacard has stopped\.\n$/)
    expect(processesOf(home)).toEqual([])
  })

  test('the start after a stopped first start begins again', async () => {
    const home = await scratchFolder()
    const settings = { ...PRODUCTION, PLACARD_HOME: home }
    const first = startByScript(settings)
    await first.says('Creating the database')
    first.kill('SIGINT')
    await first.ended

    const second = startByScript(settings)
    await second.says('Placard is ready')
    second.kill('SIGINT')
    expect(await second.ended).toMatchObject({ code: 0, stderr: '' })
  })
})

test('Ctrl-C, which npm and the terminal both send, stops once and says when it has', async () => {
  const home = await scratchFolder()
  const placard = startByScript({ ...PRODUCTION, PLACARD_HOME: home })
  await placard.says('Placard is ready')

  placard.kill('SIGINT')
  placard.kill('SIGINT')
  await placard.says('Stopping')
  placard.kill('SIGTERM')

  const { code, stdout } = await placard.ended
  expect(code).toBe(0)
  expect(stdout).toMatch(/Stopping: [^\n]*\nPlacard has stopped\.\n$/)
  expect(processesOf(home)).toEqual([])
})

test('a second signal to Placard itself ends it at once, together with its PostgreSQL', async () => {
  const home = await scratchFolder()
  const placard = startPlacard({ ...PRODUCTION, PLACARD_HOME: home })
  await placard.says('Creating the database')

  placard.kill('SIGTERM')
  placard.kill('SIGTERM')
  await placard.ended

  await vi.waitFor(() => expect(processesOf(home)).toEqual([]), 30_000)
})

/** Command lines that contain the folder. */
const processesOf = (home: string): string[] =>
  spawnSync('ps', ['ax', '-o', 'args='], { encoding: 'utf8' })
    .stdout.split('\n')
    .filter((line) => line.includes(home))

/** Queries the PostgreSQL that runs in that folder. */
async function onEmbedded(home: string, query: string): Promise<unknown[]> {
  const folder = path.join(home, 'postgres')
  const password = (await readFile(path.join(folder, 'password'), 'utf8')).trim()
  const port = (await readFile(path.join(folder, 'data/postmaster.pid'), 'utf8')).split('\n')[3]
  const client = new Client(`postgres://placard:${password}@127.0.0.1:${port}/postgres`)
  await client.connect()
  const { rows } = await client.query(query)
  await client.end()
  return rows as unknown[]
}
