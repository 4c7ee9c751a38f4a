import { importsOf, listSources } from '../imports.ts'

/** One box: an app, a capability, a room of the platform, a package. */
export interface Box {
  readonly name: string
  readonly band: Band
}

export type Band = (typeof BANDS)[number]

/** From top to bottom: imports point down. */
export const BANDS = ['apps', 'compose', 'capabilities', 'platform', 'packages'] as const

export interface ImportGraph {
  readonly boxes: readonly Box[]
  /** Arrows between boxes of one band. */
  readonly arrows: readonly (readonly [from: string, to: string])[]
  /** Number of import statements between two bands. */
  readonly between: ReadonlyMap<string, number>
}

const PLACES: readonly (readonly [place: RegExp, band: Band])[] = [
  [/^apps\/server\/src\/capabilities\/([^/]+)\//, 'capabilities'],
  [/^apps\/server\/src\/platform\/([^/.]+)/, 'platform'],
  [/^apps\/server\/src\/([^/.]+)/, 'compose'],
  [/^apps\/(console|demo)\//, 'apps'],
  [/^packages\/([^/]+)\//, 'packages'],
  [/^@placard\/([^/]+)/, 'packages'],
]
/** Tests and their helpers import everything. */
const NOT_DRAWN = /\.test\.tsx?$|\/testing\/|\/journeys\/|\/walks\/|\/reference\//

export function readImportGraph(): ImportGraph {
  const boxes = new Map<string, Box>()
  const arrows = new Map<string, readonly [string, string]>()
  const between = new Map<string, number>()
  for (const source of listSources().filter(({ file }) => !NOT_DRAWN.test(file))) {
    const from = boxOf(source.file)
    if (!from) continue
    boxes.set(from.name, from)
    for (const to of importsOf(source).flatMap((edge) => boxOf(edge.to) ?? [])) {
      if (from.band !== to.band) {
        const key = `${from.band} ${to.band}`
        between.set(key, (between.get(key) ?? 0) + 1)
      } else if (from.name !== to.name) {
        arrows.set(`${from.name} ${to.name}`, [from.name, to.name])
      }
    }
  }
  return {
    boxes: [...boxes.values()].toSorted(byName),
    arrows: [...arrows.keys()].toSorted().map((key) => arrows.get(key)!),
    between,
  }
}

function boxOf(file: string): Box | undefined {
  for (const [place, band] of PLACES) {
    const name = place.exec(file)?.[1]
    if (name) return { name: `${PREFIXES[band] ?? ''}${name}`, band }
  }
  return undefined
}

/** Two bands may have boxes with the same name. */
const PREFIXES: Partial<Record<Band, string>> = { packages: '@placard/', platform: 'platform/' }

const byName = (one: Box, other: Box) => (one.name < other.name ? -1 : 1)
