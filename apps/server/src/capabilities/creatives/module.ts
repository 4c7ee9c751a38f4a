import { type CapabilityModule, type ProcessBase, routeGroup } from '../../platform/module.ts'
import type { ResourceDeps } from '../../platform/resources/index.ts'
import type { Config } from '../../settings/config.ts'
import type { AssetStorage } from './assets/asset-storage.ts'
import { assetFileRoutes } from './assets/routes-assets.ts'
import { creativeRoutes } from './routes.ts'

export interface CreativesApiDeps extends Pick<ProcessBase, keyof ResourceDeps> {
  readonly config: Pick<Config, 'ASSET_BYTES_MAX'>
  readonly storage: AssetStorage
}

/** Banners, assets and approvals. */
export function creativesApi(deps: CreativesApiDeps): CapabilityModule {
  const assetBytesMax = deps.config.ASSET_BYTES_MAX
  return {
    name: 'creatives',
    routes: [
      routeGroup('/api/v1/admin', creativeRoutes, { ...deps, assetBytesMax }),
      routeGroup('/api/v1', assetFileRoutes, deps),
    ],
  }
}
