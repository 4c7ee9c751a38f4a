import { BANNER, BANNER_FLAG, type DecisionIndex, NONE } from './catalogue.ts'

/** Rows may come in any order: whatever names a banner first makes room for it. */
export function bannerFor(index: DecisionIndex, key: number): number {
  const known = index.bannerRows.get(key)
  if (known !== undefined) return known
  const banner = index.banners.take()
  index.bannerRows.set(key, banner)
  index.banners.f64[banner * BANNER.width + BANNER.key] = key
  const { i32 } = index.banners
  i32[banner * BANNER.width * 2 + BANNER.firstCandidate] = NONE
  i32[banner * BANNER.width * 2 + BANNER.evergreenCandidate] = NONE
  return banner
}

/** Frees the row once nothing names the banner any more. */
export function releaseBanner(index: DecisionIndex, banner: number): void {
  const at = banner * BANNER.width * 2
  const { i32, f64 } = index.banners
  if ((i32[at + BANNER.flags]! & BANNER_FLAG.present) !== 0) return
  if (i32[at + BANNER.firstCandidate] !== NONE || i32[at + BANNER.approvedSites] !== 0) return
  index.bannerRows.delete(f64[banner * BANNER.width + BANNER.key]!)
  index.banners.release(banner)
}
