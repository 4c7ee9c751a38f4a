import { PLACEMENTS, type PlacementKey } from '../data/sellers.ts'
import { html, type Markup } from './html.ts'

/** A slot as publishers write it, with its markup shown below. */
export function slot(slug: PlacementKey, wanted?: number): Markup {
  const { recommendedWidth, recommendedHeight, layoutType, ...placement } = PLACEMENTS[slug]
  const size = `${recommendedWidth}x${recommendedHeight}`
  const count = wanted ?? ('maxBanners' in placement ? placement.maxBanners : 1)
  const tag = `<div data-placard="${slug}" data-size="${size}" data-layout="${layoutType}" data-count="${count}"></div>`
  return html`<figure class="ad ${layoutType}">
    <div
      data-placard="${slug}"
      data-size="${size}"
      data-layout="${layoutType}"
      data-count="${count}"
    ></div>
    <figcaption><code>${tag}</code></figcaption>
  </figure>`
}
