/** Layered drawing: an importing box is above the imported one, and long lines pass boxes through waypoints. */
export interface Layered {
  /** Rows from top to bottom. A name with `>` is the waypoint of a long line. */
  readonly rows: readonly (readonly string[])[]
  /** Each arrow as a list of names, from the upper to the lower box. */
  readonly paths: readonly Path[]
}

export interface Path {
  readonly through: readonly string[]
  /** Points up, against the layers: two boxes import each other, perhaps through a third one. */
  readonly isUpward: boolean
  /** Another path leads there too, so the arrow is not drawn. */
  readonly isImplied: boolean
}

type Arrow = readonly [from: string, to: string]

const SWEEPS = 12

export function layer(names: readonly string[], arrows: readonly Arrow[]): Layered {
  const upward = upwardArrows(names, arrows)
  const down = arrows.map((arrow): Arrow => (upward.has(arrow) ? [arrow[1], arrow[0]] : arrow))
  const depths = depthsOf(names, down)
  const rows: string[][] = []
  for (const name of names) (rows[depths.get(name)!] ??= []).push(name)

  const paths = arrows.map((arrow, at) => {
    const [from, to] = down[at]!
    const through = [from]
    for (let depth = depths.get(from)! + 1; depth < depths.get(to)!; depth++) {
      const place = `${from}>${to}>${depth}`
      rows[depth]!.push(place)
      through.push(place)
    }
    return {
      through: [...through, to],
      isUpward: upward.has(arrow),
      isImplied: isImplied(down[at]!, down),
    }
  })
  untangle(rows, paths)
  return { rows, paths }
}

/** The arrows that close a cycle in a depth-first walk from the least imported boxes. */
function upwardArrows(names: readonly string[], arrows: readonly Arrow[]): ReadonlySet<Arrow> {
  const upward = new Set<Arrow>()
  const state = new Map<string, 'open' | 'done'>()
  const visit = (name: string): void => {
    state.set(name, 'open')
    for (const arrow of arrows.filter(([from]) => from === name)) {
      const of = state.get(arrow[1])
      if (of === 'open') upward.add(arrow)
      else if (!of) visit(arrow[1])
    }
    state.set(name, 'done')
  }
  const importers = (name: string) => arrows.filter(([, to]) => to === name).length
  const leastImportedFirst = names.toSorted((one, other) => importers(one) - importers(other))
  for (const name of leastImportedFirst) if (!state.has(name)) visit(name)
  return upward
}

function isImplied([from, to]: Arrow, down: readonly Arrow[]): boolean {
  const leads = (name: string): boolean =>
    down.some(([one, other]) => one === name && (other === to || leads(other)))
  return down.some(([one, other]) => one === from && other !== to && leads(other))
}

function depthsOf(names: readonly string[], down: readonly Arrow[]): Map<string, number> {
  const depths = new Map(names.map((name) => [name, 0]))
  for (let changed = true; changed;) {
    changed = false
    for (const [from, to] of down) {
      if (depths.get(to)! > depths.get(from)!) continue
      depths.set(to, depths.get(from)! + 1)
      changed = true
    }
  }
  return depths
}

/** Orders each row by the mean position of its neighbours, down and up again, so that few lines cross. */
function untangle(rows: string[][], paths: readonly Path[]): void {
  const neighbours = new Map<string, string[]>()
  const join = (one: string, other: string) => {
    neighbours.set(one, [...(neighbours.get(one) ?? []), other])
  }
  for (const { through } of paths) {
    for (const [at, name] of through.slice(1).entries()) {
      join(name, through[at]!)
      join(through[at]!, name)
    }
  }
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const places = new Map(
      rows.flatMap((row) => row.map((name, at) => [name, (at + 0.5) / row.length] as const)),
    )
    const mean = (name: string) => {
      const near = neighbours.get(name) ?? []
      const sum = near.reduce((total, other) => total + places.get(other)!, 0)
      return near.length === 0 ? places.get(name)! : sum / near.length
    }
    for (const row of rows) row.sort((one, other) => mean(one) - mean(other))
  }
}
