import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'

const QUARTERS = 96
const HOURS = 24

/**
 * Shares of a day's traffic by quarter-hour for each day of a week, from one region of the file. Without
 * a file, a synthetic day with an evening peak.
 */
export function readShapes(folder: string, region: number): readonly (readonly number[])[] {
  const file = path.join(folder, 'traffic-shape', 'traffic-share.csv')
  if (!existsSync(file)) return Array.from({ length: 7 }, () => spread(madeUp()))
  const [, ...lines] = readFileSync(file, 'utf8').trim().split('\n')
  const rows = lines.map((line) => line.split(',').map(Number) as [number, number, number, number])
  const regions = [...new Set(rows.map(([id]) => id))]
  const wanted = regions[region % regions.length]
  const byDay = Map.groupBy(
    rows.filter(([id]) => id === wanted),
    ([, day]) => day,
  )
  return [...byDay.values()].map((day) =>
    spread(day.toSorted((a, b) => a[2] - b[2]).map(([, , , share]) => share)),
  )
}

export const hasShapes = (folder: string): boolean =>
  existsSync(path.join(folder, 'traffic-shape', 'traffic-share.csv'))

const madeUp = (): number[] =>
  Array.from({ length: HOURS }, (_, hour) => 1 + 0.8 * Math.sin((hour / HOURS) * 2 * Math.PI - 2))

function spread(hours: readonly number[]): number[] {
  const total = hours.reduce((sum, share) => sum + share, 0)
  return Array.from(
    { length: QUARTERS },
    (_, quarter) => hours[Math.floor((quarter * HOURS) / QUARTERS)]! / total / (QUARTERS / HOURS),
  )
}
