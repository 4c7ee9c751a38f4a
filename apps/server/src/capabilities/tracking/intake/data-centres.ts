import { readFile, stat } from 'node:fs/promises'
import { BlockList, isIP, isIPv6 } from 'node:net'
import path from 'node:path'
import type { Timers } from '../../../platform/background/timers.ts'

export interface DataCentres {
  has(address: string): boolean
  stop(): void
}

export interface DataCentreDeps {
  /** The operator's own list. Without it the built-in one is used. */
  readonly file: string | undefined
  readonly timers: Timers
  onError(error: unknown): void
}

const BUNDLED = path.join(import.meta.dirname, 'data-centres.txt')
const LOOK_MS = 60_000

/**
 * Reads the list, and checks once a minute whether the file has changed. A faulty file is ignored.
 */
export async function keepDataCentres({
  file = BUNDLED,
  timers,
  onError,
}: DataCentreDeps): Promise<DataCentres> {
  let changedMs = await changedAt(file)
  let list = await readList(file)
  let cancel: (() => void) | undefined
  const refresh = async () => {
    const nowMs = await changedAt(file)
    if (nowMs === changedMs) return
    list = await readList(file)
    changedMs = nowMs
  }
  const look = () => {
    cancel = timers.after(LOOK_MS, () => void refresh().catch(onError).finally(look))
  }
  look()
  return {
    has: (address) => isIP(address) !== 0 && list.check(address, familyOf(address)),
    stop: () => cancel?.(),
  }
}

const changedAt = async (file: string) => (await stat(file)).mtimeMs
const readList = async (file: string) => blockListOf(parseRanges(await readFile(file, 'utf8')))

/** One address or range per line. `#` starts a comment. */
export function parseRanges(text: string): string[] {
  const ranges = text
    .split('\n')
    .map((line) => line.replace(/#.*/, '').trim())
    .filter(Boolean)
  const wrong = ranges.find((range) => !isRange(range))
  if (wrong !== undefined) throw new RangeError(`"${wrong}" is neither an address nor a range`)
  return ranges
}

function isRange(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  const bitsMax = { 0: -1, 4: 32, 6: 128 }[isIP(address)]!
  if (bitsMax < 0 || rest.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= bitsMax)
}

const familyOf = (address: string) => (isIPv6(address) ? 'ipv6' : 'ipv4')

function blockListOf(ranges: readonly string[]): BlockList {
  const list = new BlockList()
  for (const range of ranges) {
    const [address = '', bits] = range.split('/')
    list.addSubnet(address, Number(bits ?? (isIPv6(address) ? 128 : 32)), familyOf(address))
  }
  return list
}
