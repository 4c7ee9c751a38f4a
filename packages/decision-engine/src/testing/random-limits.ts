import type { RequestLimits } from '../decide/limits.ts'

/** The draws that create a random world. */
interface Drawing {
  readonly size: number
  key(): number
  pick<T>(values: readonly T[]): T
  some<T>(values: readonly T[]): T[]
  maybe<T>(share: number, make: () => T): T | undefined
}

interface Words {
  readonly sizes: readonly string[]
  readonly formats: readonly string[]
  readonly products: readonly string[]
}

/** Draws few limits at a time, so that candidates remain. */
export function randomLimits(world: Drawing, words: Words): RequestLimits {
  const some = <T>(share: number, values: readonly T[]) =>
    world.maybe(share, () => new Set(world.some(values)))
  const keys = Array.from({ length: world.size }, (_, at) => at + 1)
  const lacking = world.key()
  return {
    sizes: some(0.3, words.sizes),
    formats: some(0.3, words.formats),
    blockedBanners: some(0.2, keys),
    blockedAdvertisers: some(0.2, [1, 2, 3]),
    blockedAdProducts: some(0.2, words.products),
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
