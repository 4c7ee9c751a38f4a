import type { Placement } from '../../api/types.ts'

type Layout = Placement['layoutType']

interface TagPlan {
  readonly origin: string
  readonly slug: string
  readonly layoutType: Layout
  /** Width of one banner. */
  readonly width: number
  readonly height: number
  readonly siteId: string | undefined
}

/** Cells across and down that the tag reserves. Layouts over the page reserve none. */
const CELLS: Partial<Record<Layout, readonly [across: number, down: number]>> = {
  half_pair: [2, 1],
  quarter_grid: [4, 1],
  sidebar_stack: [1, 3],
  sticky_bar: [0, 0],
  popup: [0, 0],
  interstitial: [0, 0],
}
const GAP = 12

/** The code for the publisher's page. It reserves the space before the script loads. */
export function tagText(plan: TagPlan): string {
  const { origin, slug, layoutType, width, height, siteId } = plan
  const site = siteId === undefined ? '' : ` data-site="${siteId}"`
  return `<script async src="${origin}/tag.js"${site}></script>
<div data-placard="${slug}" data-size="${width}x${height}" data-layout="${layoutType}"${styleOf(plan)}></div>`
}

function styleOf({ layoutType, width, height }: TagPlan): string {
  const [across, down] = CELLS[layoutType] ?? [1, 1]
  if (across === 0) return ''
  const whole = across * width + (across - 1) * GAP
  return ` style="max-width:${whole}px;aspect-ratio:${whole}/${down * height + (down - 1) * GAP}"`
}
