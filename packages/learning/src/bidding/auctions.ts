/**
 * Auctions as columns: index i of every array describes the same auction. Prices and bids are whole
 * numbers of a small unit of money that the caller chooses. `pctr` is the value of a win.
 */
export interface Auctions {
  readonly count: number
  readonly price: Int32Array
  readonly pctr: Float64Array
  readonly click: Uint8Array
  /** Window of the day (0…95). All 0 if a log has no times. */
  readonly window: Uint8Array
  /** What a win counts for, if not its `pctr`. */
  readonly worth?: Float64Array | undefined
}

export const WINDOWS_PER_DAY = 96

export function auctionsBetween(auctions: Auctions, from: number, to: number): Auctions {
  const end = Math.min(to, auctions.count)
  return {
    count: end - from,
    price: auctions.price.subarray(from, end),
    pctr: auctions.pctr.subarray(from, end),
    click: auctions.click.subarray(from, end),
    window: auctions.window.subarray(from, end),
  }
}

export function joinAuctions(parts: readonly Auctions[]): Auctions {
  const count = parts.reduce((sum, part) => sum + part.count, 0)
  const all = {
    count,
    price: new Int32Array(count),
    pctr: new Float64Array(count),
    click: new Uint8Array(count),
    window: new Uint8Array(count),
  }
  let at = 0
  for (const part of parts) {
    all.price.set(part.price, at)
    all.pctr.set(part.pctr, at)
    all.click.set(part.click, at)
    all.window.set(part.window, at)
    at += part.count
  }
  return all
}

export function requestsPerWindow(auctions: Auctions, windows = WINDOWS_PER_DAY): Float64Array {
  const requests = new Float64Array(windows)
  for (let at = 0; at < auctions.count; at++) requests[auctions.window[at]!]!++
  return requests
}
