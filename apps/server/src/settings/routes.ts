import { SettingList } from '@placard/contract/operations'
import type { Config } from './config.ts'
import type { Http } from '../platform/http/server.ts'
import { settingsInForce } from './in-force.ts'

export interface SettingRouteDeps {
  readonly config: Config
  /** Names of the settings given in the environment. */
  readonly givenSettings: ReadonlySet<string>
}

/** The settings this process was started with, for operators. */
export function settingRoutes(http: Http, { config, givenSettings }: SettingRouteDeps): void {
  const answer = { items: settingsInForce(config, givenSettings) }
  http.get(
    '/settings',
    {
      config: { access: 'operations:read' },
      schema: {
        operationId: 'readSettings',
        summary: 'Settings in force and their origin, without secrets',
        tags: ['operations'],
        response: { 200: SettingList },
      },
    },
    () => answer,
  )
}
