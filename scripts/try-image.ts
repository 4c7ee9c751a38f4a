import { spawn, spawnSync } from 'node:child_process'
import { chownSync } from 'node:fs'
import { chmod, cp, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startEmbedded } from '../apps/server/src/platform/database/embedded.ts'

/**
 * `node scripts/try-image.ts`: runs the steps of the Dockerfile in an empty folder, for machines without
 * Docker, starts the result, and runs the image's health check.
 */
const ROOT = path.join(import.meta.dirname, '..')
const UID = 1001
const START_SECONDS = 90

interface Image {
  readonly folder: string
  stage: number
  readonly names: Map<string, string>
  env: Record<string, string>
  command: readonly string[]
  health: readonly string[]
}

async function main(): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'placard-image-'))
  await chmod(folder, 0o755)
  const image: Image = { folder, stage: -1, names: new Map(), env: {}, command: [], health: [] }
  try {
    for (const step of await readSteps()) await take(image, step)
    await start(image)
    console.log('The steps of the Dockerfile work, and the result is healthy.')
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function readSteps(): Promise<string[]> {
  const text = await readFile(path.join(ROOT, 'deploy/Dockerfile'), 'utf8')
  const lines = text.replaceAll(/\\\n\s*/g, '').split('\n')
  return lines.filter((line) => line && !line.startsWith('#'))
}

const rootOf = ({ folder, stage }: Image) => path.join(folder, String(stage))
const workOf = (image: Image) => path.join(rootOf(image), 'placard')
/** Paths of the image are below the folder of their stage. */
const inside = (image: Image, text: string) =>
  text.replaceAll('/var/lib/placard', path.join(rootOf(image), 'home'))

async function take(image: Image, step: string): Promise<void> {
  const [, word = '', rest = ''] = /^(\w+) (.*)$/.exec(step)!
  process.stderr.write(`${step}\n`)
  if (word === 'FROM') await begin(image, rest)
  else if (word === 'COPY') await copy(image, rest.split(' '))
  else if (word === 'RUN') run(image, rest)
  else if (word === 'ENV') image.env = { ...image.env, ...pairs(inside(image, rest)) }
  else if (word === 'CMD') image.command = JSON.parse(rest) as string[]
  else if (word === 'HEALTHCHECK') image.health = JSON.parse(rest.split('CMD ')[1]!) as string[]
}

async function begin(image: Image, from: string): Promise<void> {
  image.stage++
  image.names.set(from.split(' AS ')[1] ?? String(image.stage), rootOf(image))
  await mkdir(workOf(image), { recursive: true })
}

async function copy(image: Image, words: readonly string[]): Promise<void> {
  const from = words[0]!.startsWith('--from=') ? words[0]!.slice('--from='.length) : undefined
  const [target = '', ...sources] = words.slice(from ? 1 : 0).toReversed()
  const base = from ? image.names.get(from)! : ROOT
  for (const source of sources) {
    const name = source.startsWith('/') ? source : `/${source}`
    const isFolder = target.endsWith('/')
    const to = path.join(workOf(image), target, isFolder ? path.basename(name) : '')
    await cp(path.join(base, name), to, {
      recursive: true,
      verbatimSymlinks: true,
      filter: (file) => from !== undefined || !file.slice(ROOT.length).includes('node_modules'),
    })
  }
}

function run(image: Image, command: string): void {
  const { status } = spawnSync('sh', ['-c', inside(image, command)], {
    cwd: workOf(image),
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  if (status !== 0) throw new Error(`This step failed: ${command}`)
}

const pairs = (text: string) =>
  Object.fromEntries(text.split(' ').map((pair) => pair.split('=') as [string, string]))

async function start(image: Image): Promise<void> {
  const isRoot = process.getuid?.() === 0
  if (isRoot) chownSync(image.folder, UID, UID)
  await using stack = new AsyncDisposableStack()
  const folder = path.join(image.folder, 'postgres')
  const postgres = await startEmbedded({ folder, progress: () => {} })
  stack.defer(() => postgres.stop())
  const options = {
    cwd: workOf(image),
    env: {
      PATH: process.env['PATH'],
      ...image.env,
      ...SECRETS,
      DATABASE_URL: postgres.url,
      API_PORT: '18080',
      API_HOST: '127.0.0.1',
      LOG_LEVEL: 'error',
    },
    ...(isRoot && { uid: UID, gid: UID }),
  }
  const [program = '', ...args] = image.command
  const server = spawn(program, args, { ...options, stdio: 'inherit' })
  try {
    for (let second = 0; second < START_SECONDS; second++) {
      await new Promise((resolve) => setTimeout(resolve, 1_000))
      const [asker = '', ...question] = image.health
      if (spawnSync(asker, question, options).status === 0) return
      if (server.exitCode !== null) break
    }
    throw new Error('It did not become healthy.')
  } finally {
    const exited = new Promise((resolve) => server.once('exit', resolve))
    if (server.exitCode === null && server.kill('SIGTERM')) await exited
  }
}

const SECRETS = {
  JWT_SECRET: 'a secret for trying, long enough to sign',
  USER_KEY_SECRET: 'a secret for trying, long enough to hide',
  ENCRYPTION_SECRET: 'a secret for trying, long enough to lock',
  TRACKING_KEYS: '1:a-secret-for-trying-long-enough-to-seal',
}

await main()
