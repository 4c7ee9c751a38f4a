import type { DecisionIndex } from './catalogue.ts'
import { NONE } from './candidate-rows.ts'
import { BANNER_FLAG } from './tables.ts'

/** Rows may come in any order: the first one that names a banner creates its row. */
export function bannerFor(index: DecisionIndex, key: number): number {
  const known = index.bannerRows.get(key)
  if (known !== undefined) return known
  const banner = index.banners.take()
  index.bannerRows.set(key, banner)
  index.banners.setKey(banner, key)
  index.banners.setFirstCandidate(banner, NONE)
  index.banners.setEvergreenCandidate(banner, NONE)
  return banner
}

/** Frees the row when no other row names the banner. */
export function releaseBanner(index: DecisionIndex, banner: number): void {
  if ((index.banners.flags(banner) & BANNER_FLAG.present) !== 0) return
  if (index.banners.firstCandidate(banner) !== NONE || index.banners.approvedSites(banner) !== 0)
    return
  index.bannerRows.delete(index.banners.key(banner))
  index.banners.release(banner)
}
