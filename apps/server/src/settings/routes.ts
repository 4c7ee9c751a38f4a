import { SettingList } from '@placard/contract/operations'
import type { Config } from './config.ts'
import type { Http } from '../platform/http/server.ts'
import { settingsInForce } from './in-force.ts'

export interface SettingRouteDeps {
  readonly config: Config
  /** Names of those that the environment gave. */
  readonly givenSettings: ReadonlySet<string>
}

/** What this process was started with, for those who run the platform. */
export function settingRoutes(http: Http, { config, givenSettings }: SettingRouteDeps): void {
  const answer = { items: settingsInForce(config, givenSettings) }
  http.get(
    '/settings',
    {
      config: { access: 'operations:read' },
      schema: {
        operationId: 'readSettings',
        summary: 'Settings in force, and where each comes from; never a secret',
        tags: ['operations'],
        response: { 200: SettingList },
      },
    },
    () => answer,
  )
}
