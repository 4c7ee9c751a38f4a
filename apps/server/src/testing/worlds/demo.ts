import { auditTo } from '../../capabilities/accounts/index.ts'
import { DEMO_PASSWORD } from '../../../../demo/src/data/people.ts'
import { seedDemo } from '../../../../demo/src/data/seed.ts'
import type { DemoDeps } from '../../../../demo/src/data/world.ts'
import { campaignEvents } from '../../capabilities/campaigns/index.ts'
import { openSecretBox } from '../../platform/secret-box.ts'
import { freshDatabase, makeTemplate } from '../services/database.ts'
import { passwords, type TestServer } from '../server.ts'
import { startWhole } from './whole-world.ts'
import { depsOn, type TestDeps } from '../world.ts'

/** Dependencies of the demo, on a test's database; images are discarded. */
export const demoDepsOn = (deps: TestDeps): DemoDeps => ({
  ...deps,
  audit: auditTo(deps),
  events: campaignEvents(deps.ids),
  storage: {
    save: async () => {},
    saveFile: async () => {},
    read: async () => undefined,
    remove: async () => {},
  },
  passwords,
  secretBox: openSecretBox('a secret for tests, long enough to encrypt', 'channels'),
  isMockAllowed: true,
  progress: () => {},
})

let made: Promise<string> | undefined

/** A database with the demo, seeded once per worker. */
export const demoTemplate = (): Promise<string> =>
  (made ??= makeTemplate(async (connection) => {
    await seedDemo(demoDepsOn(depsOn(connection)))
  }))

/** The whole API over the demo, a minute later. */
export async function startDemo(template: string) {
  const connection = await freshDatabase(template)
  const deps = depsOn(connection)
  deps.clock.advance(60)
  return startWhole({ ...connection, deps })
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
