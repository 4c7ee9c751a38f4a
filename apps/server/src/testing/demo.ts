import { auditTo } from '../capabilities/accounts/index.ts'
import { diskStorage } from '../capabilities/creatives/index.ts'
import { DEMO_PASSWORD } from '../demo/people.ts'
import { seedDemo } from '../demo/seed.ts'
import type { DemoDeps } from '../demo/world.ts'
import { campaignEvents } from '../events.ts'
import { makeTemplate } from './database.ts'
import { passwords, scratchFolder, startServer, type TestServer } from './server.ts'
import { depsOn, type TestDeps } from './world.ts'

/** What the demo is made with, on a test's own database. */
export async function demoDepsOn(deps: TestDeps): Promise<DemoDeps> {
  return {
    ...deps,
    audit: auditTo(deps),
    events: campaignEvents(deps.ids),
    storage: diskStorage(await scratchFolder()),
    passwords,
    progress: () => {},
  }
}

let template: Promise<string> | undefined

/** The whole API over the demo, which is seeded once for all tests of a file. */
export async function startDemo(): Promise<TestServer> {
  template ??= makeTemplate(async (connection) => {
    await seedDemo(await demoDepsOn(depsOn(connection)))
  })
  return startServer({}, await template)
}

/** Signs in as `operator`, `adops`, … and reads the items of a list. */
export async function readerOf({ http }: Pick<TestServer, 'http'>, name: string) {
  const signedIn = await http.inject({
    method: 'POST',
    url: '/api/v1/auth/sign-in',
    payload: { email: `${name}@demo.placard.example`, password: DEMO_PASSWORD },
  })
  const headers = { authorization: `Bearer ${signedIn.json().accessToken}` }
  return async (path: string): Promise<Record<string, unknown>[]> => {
    const response = await http.inject({ url: `/api/v1/admin${path}`, headers })
    const body = response.json()
    return Array.isArray(body) ? body : body.items
  }
}
