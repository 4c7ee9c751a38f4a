import { BANDS, type Band, type ImportGraph } from './groups.ts'
import { layer, type Path } from './layers.ts'

const WIDTH = 1_280
const LEFT = 150
const BOX = { height: 30, perLetter: 7.4, padding: 22, gap: 16 }
const ROW_GAP = 54
const BAND_GAP = 26
const BAND_PADDING = 22
const BAND_HEIGHT_MIN = 110

const TITLES: Readonly<Record<Band, string>> = {
  apps: 'apps',
  compose: 'server process',
  capabilities: 'capabilities',
  platform: 'platform',
  packages: 'packages',
}
const FILLS: Readonly<Record<Band, string>> = {
  apps: '#fde9d9',
  compose: '#f3e3f7',
  capabilities: '#dcebfb',
  platform: '#e0f2e4',
  packages: '#f6efcf',
}

interface Place {
  readonly x: number
  readonly y: number
  readonly width: number
}

/** The whole picture as SVG text. */
export function draw(graph: ImportGraph): string {
  const parts: string[] = []
  let y = 16
  for (const band of BANDS) {
    const drawn = drawBand(graph, { band, y })
    parts.push(drawn.svg)
    y += drawn.height + BAND_GAP
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${y + 24}" width="${WIDTH}" height="${y + 24}" font-family="system-ui, sans-serif" font-size="13">
<title>Who imports whom in Placard</title>
<defs>${marker('down', '#5b6b7f')}${marker('up', '#c0392b')}</defs>
<rect width="100%" height="100%" fill="#ffffff"/>
${parts.join('\n')}
<text x="22" y="${y + 8}" fill="#57606a" font-size="12">Arrows: imports. Light: the target is also reached through another box. Red: two boxes import each other, perhaps through a third.</text>
</svg>
`
}

const marker = (id: string, color: string) =>
  `<marker id="${id}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto-start-reverse"><path d="M0 0 8 4 0 8z" fill="${color}"/></marker>`

function drawBand(
  graph: ImportGraph,
  { band, y }: { readonly band: Band; readonly y: number },
): { svg: string; height: number } {
  const names = graph.boxes.filter((box) => box.band === band).map(({ name }) => name)
  const isOurs = ([from]: readonly [string, string]) => names.includes(from)
  const { rows, paths } = layer(names, graph.arrows.filter(isOurs))
  const places = new Map<string, Place>()
  for (const [at, row] of rows.entries()) {
    const top = y + BAND_PADDING + at * (BOX.height + ROW_GAP)
    for (const [name, place] of placesOf(row, top)) places.set(name, place)
  }
  const height = Math.max(
    BAND_HEIGHT_MIN,
    2 * BAND_PADDING + rows.length * BOX.height + (rows.length - 1) * ROW_GAP,
  )
  const boxes = names.map((name) => drawBox(name, { band, place: places.get(name)! }))
  const svg = [
    `<rect x="8" y="${y}" width="${WIDTH - 16}" height="${height}" rx="10" fill="${FILLS[band]}" fill-opacity=".45"/>`,
    `<text x="22" y="${y + 26}" font-weight="700" font-size="15">${TITLES[band]}</text>`,
    ...importsBelow(graph, band).map(
      (line, at) =>
        `<text x="22" y="${y + 46 + at * 16}" fill="#57606a" font-size="11">${line}</text>`,
    ),
    ...paths.map((path) => drawPath(path, places)),
    ...boxes,
  ]
  return { svg: svg.join('\n'), height }
}

/** One arrow per import between bands would hide everything else, so each shows a count. */
const importsBelow = ({ between }: ImportGraph, band: Band): string[] =>
  BANDS.flatMap((to) => {
    const count = between.get(`${band} ${to}`)
    return count ? [`${count} → ${TITLES[to]}`] : []
  })

/** Spreads the boxes of a row over the width, each as wide as its name. */
function placesOf(row: readonly string[], y: number): (readonly [string, Place])[] {
  const widths = row.map((name) =>
    name.includes('>') ? 10 : labelOf(name).length * BOX.perLetter + BOX.padding,
  )
  const used = widths.reduce((sum, width) => sum + width, 0)
  const free = Math.max(BOX.gap, (WIDTH - LEFT - 30 - used) / (row.length + 1))
  let x = LEFT + free
  return row.map((name, at) => {
    const place = { x, y, width: widths[at]! }
    x += place.width + free
    return [name, place]
  })
}

function drawBox(name: string, { band, place }: { readonly band: Band; readonly place: Place }) {
  const { x, y, width } = place
  return `<rect x="${round(x)}" y="${y}" width="${round(width)}" height="${BOX.height}" rx="6" fill="${FILLS[band]}" stroke="#57606a"/><text x="${round(x + width / 2)}" y="${y + 20}" text-anchor="middle">${labelOf(name)}</text>`
}

const labelOf = (name: string): string => name.replace(/^(platform|@placard)\//, '')

/** A smooth line from the bottom of the upper box through its waypoints to the top of the lower one. */
function drawPath(
  { through, isUpward, isImplied }: Path,
  places: ReadonlyMap<string, Place>,
): string {
  const stops = through.map((name) => places.get(name)!)
  const middle = ({ x, width }: Place) => round(x + width / 2)
  let line = `M${middle(stops[0]!)} ${stops[0]!.y + BOX.height}`
  for (const [at, stop] of stops.slice(1).entries()) {
    const fromY = stops[at]!.y + BOX.height
    const bend = (stop.y - fromY) / 2
    line += `C${middle(stops[at]!)} ${fromY + bend} ${middle(stop)} ${stop.y - bend} ${middle(stop)} ${stop.y}`
    if (at < stops.length - 2) line += `V${stop.y + BOX.height}`
  }
  const [from, to] = isUpward ? [through.at(-1), through[0]] : [through[0], through.at(-1)]
  const look = isUpward
    ? 'stroke="#c0392b" stroke-dasharray="5 3" marker-start="url(#up)"'
    : 'stroke="#5b6b7f" marker-end="url(#down)"'
  return `<path d="${line}" fill="none" stroke-width="${isImplied ? 0.8 : 1.6}" stroke-opacity="${isImplied ? 0.35 : 0.9}" ${look}><title>${labelOf(from!)} imports ${labelOf(to!)}</title></path>`
}

const round = (value: number): number => Math.round(value)
