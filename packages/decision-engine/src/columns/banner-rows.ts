import { BANNER, BANNER_FLAG, type DecisionIndex, NONE } from './catalogue.ts'

/** Rows may come in any order: whatever names a banner first makes room for it. */
export function bannerFor(index: DecisionIndex, key: number): number {
  const known = index.bannerSlots.get(key)
  if (known !== undefined) return known
  const banner = index.banners.take()
  index.bannerSlots.set(key, banner)
  index.banners.f64[banner * BANNER.lanes + BANNER.key] = key
  const { i32 } = index.banners
  i32[banner * BANNER.lanes * 2 + BANNER.firstOffer] = NONE
  i32[banner * BANNER.lanes * 2 + BANNER.evergreenOffer] = NONE
  return banner
}

/** Frees the slot once nothing names the banner any more. */
export function releaseBanner(index: DecisionIndex, banner: number): void {
  const at = banner * BANNER.lanes * 2
  const { i32, f64 } = index.banners
  if ((i32[at + BANNER.flags]! & BANNER_FLAG.present) !== 0) return
  if (i32[at + BANNER.firstOffer] !== NONE || i32[at + BANNER.approvedSites] !== 0) return
  index.bannerSlots.delete(f64[banner * BANNER.lanes + BANNER.key]!)
  index.banners.release(banner)
}
