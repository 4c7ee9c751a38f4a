import type { RequestLimits } from '../decide/limits.ts'
import { FORMATS, PRODUCTS, type RandomWorld, SIZES } from './random-world.ts'

/** Few limits at a time, so that something is left to choose from. */
export function randomLimits(world: RandomWorld): RequestLimits {
  const some = <T>(share: number, values: readonly T[]) =>
    world.maybe(share, () => new Set(world.some(values)))
  const keys = Array.from({ length: world.size }, (_, at) => at + 1)
  const lacking = world.key()
  return {
    sizes: some(0.3, SIZES),
    formats: some(0.3, FORMATS),
    blockedBanners: some(0.2, keys),
    blockedAdvertisers: some(0.2, [1, 2, 3]),
    blockedAdProducts: some(0.2, PRODUCTS),
    campaigns: some(0.2, keys),
    pricing: world.maybe(0.3, () => world.pick(['cpm', 'cpc'] as const)),
    bookedFloorMicros: world.maybe(0.2, () => world.pick([0, 1_000_000, 3_000_000])),
    dealFloorsMicros: world.maybe(0.2, () => new Map([[world.key(), 2_000_000]])),
    judgeBanner: world.maybe(
      0.2,
      () => (bannerKey: number) => (bannerKey === lacking ? 'native-asset' : undefined),
    ),
  }
}
