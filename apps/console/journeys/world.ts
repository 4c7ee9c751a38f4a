import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import axe, { type AxeResults } from 'axe-core'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { buildPages } from '../../../scripts/build-pages.mjs'
import type { AtEnd } from '../../server/src/testing/services/database.ts'
import { ENVIRONMENT } from '../../server/src/testing/services/environment.ts'
import { START_FLAGS } from '../../server/src/settings/start-flags.ts'

const MAIN = path.join(import.meta.dirname, '../../server/src/main.ts')
const PASSWORD = 'placard demo password'
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

export type Person = 'operator' | 'adops' | 'trust' | 'publisher' | 'advertiser' | 'advertiser2'

export interface Look {
  readonly width?: number
  readonly theme?: 'light' | 'dark'
  /** In a browser without any of our files in its cache. */
  readonly isFresh?: boolean
  /** By the host name instead of the address: passkeys need a name. */
  readonly isNamed?: boolean
}

type Shape = Required<Omit<Look, 'isFresh' | 'isNamed'>>

/** The demo on a real server, and a real browser. */
export interface World {
  readonly address: string
  readonly databaseUrl: string
  readonly serverPid: number
  /** A page with that user signed in. Its outside requests and errors are recorded. */
  open(person: Person | undefined, path: string, look?: Look): Promise<Page>
  /** A page of another server, in a browser of its own; what it does outside of all of these is remembered. */
  visit(addresses: readonly [string, ...string[]], path: string): Promise<Page>
  /** Requests to other origins, and errors that pages threw or logged. */
  readonly faults: readonly string[]
  stop(): Promise<void>
}

const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

export async function startWorld(databaseUrl: string): Promise<World> {
  buildPages()
  const home = await mkdtemp(path.join(tmpdir(), 'placard-journeys-'))
  const { server, address } = await startServer(databaseUrl, home)
  const browser = await launch()
  const faults: string[] = []
  const newContextFor = async (person: Person | undefined, look: Shape) => {
    const context = await newContext(browser, look)
    // An open stream keeps the network busy, and pictures wait until it is idle.
    await context.route('**/api/v1/admin/news?*', (route) =>
      route.fulfill({ contentType: 'text/event-stream', body: '' }),
    )
    if (person) await signInWith(context, address, person)
    return context
  }
  /** One browser context per user and look. Its pages share what they have loaded. */
  const contextOf = remember((_name, person: Person, look: Shape) => newContextFor(person, look))
  return {
    address,
    databaseUrl,
    serverPid: server.pid!,
    faults,
    async open(person, to, options = {}) {
      const { width = 1_440, theme = 'light', isFresh = false, isNamed = false } = options
      const from = isNamed ? address.replace('127.0.0.1', 'localhost') : address
      const look = { width, theme }
      const context =
        person && !isFresh
          ? await contextOf(`${person} ${width} ${theme}`, person, look)
          : await newContextFor(person, look)
      const page = await context.newPage()
      note(page, { addresses: [from], faults })
      await page.goto(from + to)
      return page
    },
    visit: visitIn(browser, faults),
    async stop() {
      await browser.close()
      server.kill('SIGTERM')
      await once(server, 'close')
      await rm(home, { recursive: true, force: true })
    },
  }
}

/** A browser for pages of any server. What they ask of others, and their errors, are remembered. */
export type Visits = Pick<World, 'visit' | 'faults'>

/** Visits without a demo. */
export async function startVisits(atEnd: AtEnd): Promise<Visits> {
  buildPages()
  const browser = await launch()
  atEnd(() => browser.close())
  const faults: string[] = []
  return { faults, visit: visitIn(browser, faults) }
}

const visitIn =
  (browser: Browser, faults: string[]): World['visit'] =>
  async (addresses, to) => {
    const context = await newContext(browser, { width: 1_440, theme: 'light' })
    const page = await context.newPage()
    note(page, { addresses, faults })
    await page.goto(addresses[0] + to)
    return page
  }

/** Creates each thing once, even for callers at the same moment. */
function remember<Rest extends unknown[], Made>(
  make: (name: string, ...rest: Rest) => Promise<Made>,
) {
  const made = new Map<string, Promise<Made>>()
  return (name: string, ...rest: Rest) => {
    const one = made.get(name) ?? make(name, ...rest)
    made.set(name, one)
    return one
  }
}

async function launch(): Promise<Browser> {
  for (const executablePath of CHROMIUM) {
    try {
      return await chromium.launch({ executablePath, args: FLAGS })
    } catch (error) {
      if (!String(error).includes("doesn't exist")) throw error
    }
  }
  throw new Error('The journeys need Chromium: install with "apt-get install chromium".')
}

const DEMO = {
  PLACARD_MODE: 'demo',
  DEMO_VISITS_PER_SECOND: '0',
  SIGN_IN_PERMITS_PER_MINUTE: '1000',
}

/** Placard in a process of its own. */
export async function startServer(databaseUrl: string, home: string, settings: object = DEMO) {
  const server = spawn(process.execPath, [...START_FLAGS, MAIN], {
    env: {
      ...ENVIRONMENT,
      ...settings,
      PLACARD_ROLE: 'all',
      PLACARD_HOME: home,
      DATABASE_URL: databaseUrl,
      API_PORT: '0',
      WORKER_PORT: '0',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return { server, address: await addressOf(server) }
}

async function addressOf(server: ChildProcess): Promise<string> {
  let said = ''
  for await (const chunk of server.stdout!) {
    said += String(chunk)
    const address = /(?:Console\s+|is ready on )(http:\/\/[\d.:]+)/.exec(said)?.[1]
    if (!address) continue
    server.stdout!.resume()
    return address
  }
  throw new Error(`The server ended: ${said}`)
}

const BROWSER =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'

const newContext = (browser: Browser, { width, theme }: Shape) =>
  browser.newContext({
    viewport: screenOf(width),
    colorScheme: theme,
    locale: 'en-GB',
    // A reader's user agent, not a robot's, so that its impressions count.
    userAgent: BROWSER,
    timezoneId: 'Europe/Berlin',
  })

const screenOf = (width: number) => ({ width, height: width < 600 ? 844 : 900 })

export const PHONE_IN_THE_DARK: Shape = { width: 390, theme: 'dark' }

/** The same page in another size or theme, as when a device is turned. */
export async function lookAt(page: Page, { width, theme }: Shape): Promise<void> {
  await page.emulateMedia({ colorScheme: theme })
  await page.setViewportSize(screenOf(width))
  await page.locator(`html[data-theme=${theme}]`).waitFor()
  // Colours fade into each other, and half way they have too little contrast.
  await page.evaluate(
    'Promise.all(document.getAnimations().filter((one) => one instanceof CSSTransition).map((one) => one.finished.catch(() => {}))).then(() => undefined)',
  )
}

/** Signs in for direct API calls. */
export async function signIn(address: string, person: Person): Promise<string> {
  const answer = await fetch(`${address}/api/v1/auth/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(credentialsOf(person)),
  })
  if (!answer.ok) throw new Error(`${person} cannot sign in: ${answer.status}`)
  return answer.text()
}

const credentialsOf = (person: Person) => ({
  email: `${person}@demo.placard.example`,
  password: PASSWORD,
})

/** Signs in like the sign-in page, which has its own tests. The context keeps the cookie. */
async function signInWith(context: BrowserContext, address: string, person: Person) {
  const answer = await context.request.post(`${address}/api/v1/auth/sign-in`, {
    data: { ...credentialsOf(person), refreshTokenIn: 'cookie' },
  })
  const { sessionId } = (await answer.json()) as { sessionId: string }
  await context.addInitScript({
    content: `sessionStorage.getItem('was-here') ?? localStorage.setItem('placard.session-id', ${JSON.stringify(sessionId)}); sessionStorage.setItem('was-here', 'yes')`,
  })
}

interface Noting {
  readonly addresses: readonly [string, ...string[]]
  readonly faults: string[]
}

/** A refused request, and a journey without a connection. */
const EXPECTED = [
  'the server responded with a status of 40',
  'ERR_INTERNET_DISCONNECTED',
  'a page did not load',
]

function note(page: Page, { addresses, faults }: Noting): void {
  const at = () => page.url().slice(addresses[0].length)
  page.on('pageerror', (error) => faults.push(`${at()} threw ${error.message}`))
  page.on('request', (request) => {
    const isOurs =
      addresses.some((address) => request.url().startsWith(address)) ||
      /^(?:data|blob):/.test(request.url())
    if (!isOurs) faults.push(`${at()} asked ${request.url()}`)
  })
  page.on('console', (message) => {
    const isExpected = EXPECTED.some((words) => message.text().includes(words))
    if (message.type() === 'error' && !isExpected) faults.push(`${at()} logged ${message.text()}`)
  })
}

/** The accessibility faults that axe finds on the page. */
export async function findBarriers(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  const { violations } = await page.evaluate<AxeResults>(
    "axe.run(document, { resultTypes: ['violations'], runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa'] })",
  )
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes[0]?.target.join(' ')} (${nodes.length})`)
}

/** Waits until the page has stopped loading. */
export async function settled(page: Page): Promise<void> {
  await page.locator('[role=status][aria-label=Loading]').first().waitFor({ state: 'detached' })
  await page.evaluate('document.fonts.ready.then(() => undefined)')
}
