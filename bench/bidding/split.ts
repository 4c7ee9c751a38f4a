import { type Auctions, auctionsBetween } from '../../packages/learning/src/index.ts'
import { readDays, readTraining, readValidation, type Training } from './rows.ts'

export const BID_MAX = 300

/** One campaign: the rows that a policy may know, and the rows on which it is judged. */
export interface Campaign {
  readonly name: string
  readonly training: Training
  readonly history: { readonly rows: Auctions; readonly days: readonly Auctions[] }
  readonly test: { readonly rows: Auctions; readonly days: readonly Auctions[] }
}

const NO_ROWS = {
  count: 0,
  window: new Uint8Array(),
  click: new Uint8Array(),
  price: new Int32Array(),
  pctr: new Float64Array(),
} satisfies Auctions

/** Without a test folder, the last third of the rows and of the days is the test. */
export function loadCampaigns(history: string, test: string | undefined): Campaign[] {
  const rows = readValidation(history)
  const days = readDays(history)
  const testRows = test === undefined ? undefined : readValidation(test)
  const testDays = test === undefined ? undefined : readDays(test)
  const names = [...new Set([...rows.keys(), ...days.keys()])].toSorted()
  return names.map((name) => {
    const all = {
      rows: rows.get(name) ?? NO_ROWS,
      days: (days.get(name) ?? []).map(({ auctions }) => auctions),
    }
    const parts =
      test === undefined
        ? lastThird(all)
        : {
            history: all,
            test: {
              rows: testRows?.get(name) ?? NO_ROWS,
              days: (testDays?.get(name) ?? []).map(({ auctions }) => auctions),
            },
          }
    return {
      name,
      training: readTraining(history, name) ?? trainingOf(parts.history.rows),
      ...parts,
    }
  })
}

function lastThird({ rows, days }: Campaign['history']): Pick<Campaign, 'history' | 'test'> {
  const rowsKept = Math.floor((rows.count * 2) / 3)
  const daysKept = Math.floor((days.length * 2) / 3)
  return {
    history: { rows: auctionsBetween(rows, 0, rowsKept), days: days.slice(0, daysKept) },
    test: { rows: auctionsBetween(rows, rowsKept, rows.count), days: days.slice(daysKept) },
  }
}

/** A campaign without a histogram file uses the prices of its history rows. */
function trainingOf(rows: Auctions): Training {
  const priceCounts = Array.from({ length: BID_MAX + 1 }, () => 0)
  for (const price of rows.price) priceCounts[Math.min(BID_MAX, price)]!++
  return {
    cost: rows.price.reduce((sum, price) => sum + price, 0),
    impressions: rows.count,
    clicks: rows.click.reduce((sum, click) => sum + click, 0),
    priceCounts,
  }
}

/** Budget for a number of requests, as a share of what the campaign paid in training, rounded down. */
export const budgetFor = ({ training }: Campaign, requests: number, ratio: number): number =>
  Math.floor((training.cost / training.impressions) * ratio * requests)
