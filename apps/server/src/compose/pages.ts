import path from 'node:path'
import { serveWebApp } from '../platform/http/web-app.ts'
import type { CapabilityModule } from '../platform/module.ts'
import { tagRoutes } from '../tag-routes.ts'

/** Where `scripts/build-pages.mjs` puts the console. */
const CONSOLE = path.join(import.meta.dirname, '../../../console/dist')

/** What browsers load: the tag and the console. */
export const pagesModule = (): CapabilityModule => ({
  name: 'pages',
  routes: [
    { prefix: '', add: tagRoutes },
    { prefix: '', add: (http) => serveWebApp(http, CONSOLE) },
  ],
})
