import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { Auctions } from '../../packages/learning/src/index.ts'

/** Training totals and prices of a campaign, from before all rows. */
export interface Training {
  readonly cost: number
  readonly impressions: number
  readonly clicks: number
  /** Number of auctions at each price from 0 to 300. */
  readonly priceCounts: readonly number[]
}

/** A folder with `validation/`, `days/` and `price-histograms/`, or one that contains it as `bidding/`. */
export function findRows(folder: string): string | undefined {
  return [folder, path.join(folder, 'bidding')].find(
    (one) => existsSync(path.join(one, 'validation')) || existsSync(path.join(one, 'days')),
  )
}

/** Rows `click price pCTR` per campaign, in log order. */
export function readValidation(folder: string): Map<string, Auctions> {
  const found = new Map<string, Auctions>()
  for (const file of list(path.join(folder, 'validation'), /^(\d+)\.txt(\.gz)?$/)) {
    const lines = readLines(file.path).map((line) => line.split(/\s+/).map(Number))
    found.set(
      file.match[1]!,
      columnsOf(lines.map(([click, price, pctr]) => [0, click!, price!, pctr!])),
    )
  }
  return found
}

export interface Day {
  readonly index: number
  readonly auctions: Auctions
}

const BINS_PER_WINDOW = 3

/** Rows `bin5,click,price,theta` per campaign and day, in order of days. */
export function readDays(folder: string): Map<string, Day[]> {
  const found = new Map<string, Day[]>()
  for (const file of list(path.join(folder, 'days'), /^(\d+)_(\d+)\.csv(\.gz)?$/)) {
    const lines = readLines(file.path)
      .slice(1)
      .map((line) => line.split(',').map(Number))
    const rows = lines.map((row) => [Math.floor(row[0]! / BINS_PER_WINDOW), ...row.slice(1)])
    const day = { index: Number(file.match[2]), auctions: columnsOf(rows) }
    found.set(file.match[1]!, [...(found.get(file.match[1]!) ?? []), day])
  }
  for (const [campaign, days] of found)
    found.set(
      campaign,
      days.toSorted((a, b) => a.index - b.index),
    )
  return found
}

export function readTraining(folder: string, campaign: string): Training | undefined {
  const file = path.join(folder, 'price-histograms', `${campaign}.info.json`)
  if (!existsSync(file)) return undefined
  const info = JSON.parse(readFileSync(file, 'utf8')) as Record<string, number> & {
    price_counter_train: number[]
  }
  return {
    cost: info['cost_train']!,
    impressions: info['imp_train']!,
    clicks: info['clk_train']!,
    priceCounts: info.price_counter_train,
  }
}

interface Found {
  readonly path: string
  readonly match: RegExpExecArray
}

function list(folder: string, pattern: RegExp): Found[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .toSorted()
    .flatMap((name) => {
      const match = pattern.exec(name)
      return match === null ? [] : [{ path: path.join(folder, name), match }]
    })
}

function readLines(file: string): string[] {
  const bytes = readFileSync(file)
  return (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8').trim().split('\n')
}

/** Rows of window, click, price, pCTR. */
function columnsOf(rows: readonly (readonly number[])[]): Auctions {
  return {
    count: rows.length,
    window: Uint8Array.from(rows, (row) => row[0]!),
    click: Uint8Array.from(rows, (row) => row[1]!),
    price: Int32Array.from(rows, (row) => row[2]!),
    pctr: Float64Array.from(rows, (row) => row[3]!),
  }
}
