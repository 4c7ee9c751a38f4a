import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { type Auctions, seededDraws } from '../../packages/learning/src/index.ts'

/** Auctions of a synthetic campaign, one per window of the day. */
export function madeUpRows(count: number, seed: number): Auctions {
  const draws = seededDraws(seed)
  const skewed = () => Math.exp(2 * (draws.next() + draws.next() - 1))
  const pctr = Float64Array.from({ length: count }, () => 0.002 * skewed())
  return {
    count,
    window: Uint8Array.from({ length: count }, (_, at) => Math.floor((96 * at) / count)),
    pctr,
    price: Int32Array.from({ length: count }, () => Math.min(300, Math.round(60 * skewed()))),
    click: Uint8Array.from(pctr, (rate) => (draws.next() < rate ? 1 : 0)),
  }
}

/** Writes a campaign in the format of the bench. */
export function writeCampaign(
  folder: string,
  name: string,
  { rows, days }: { rows: Auctions; days: readonly Auctions[] },
): void {
  for (const part of ['validation', 'days']) mkdirSync(path.join(folder, part), { recursive: true })
  const lines = Array.from(rows.pctr, (rate, at) => `${rows.click[at]} ${rows.price[at]} ${rate}`)
  writeFileSync(path.join(folder, 'validation', `${name}.txt.gz`), gzipSync(lines.join('\n')))
  days.forEach((day, index) => {
    const text = Array.from(
      day.pctr,
      (rate, at) => `${3 * day.window[at]!},${day.click[at]},${day.price[at]},${rate}`,
    )
    const file = path.join(folder, 'days', `${name}_${index}.csv`)
    writeFileSync(file, ['bin5,click,price,theta', ...text].join('\n'))
  })
}
