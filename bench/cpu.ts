import { readdirSync, readFileSync } from 'node:fs'

const CLOCK_TICKS = 100

interface Usage {
  readonly parent: number
  readonly seconds: number
}

/** CPU seconds of a process and all its descendants so far, including ended ones. */
export function cpuSecondsOfTree(root: number): number {
  const all = new Map(processes())
  const isBelow = (pid: number): boolean => pid === root || (pid > 1 && isBelow(parentOf(pid)))
  const parentOf = (pid: number) => all.get(pid)?.parent ?? 0
  let sum = 0
  for (const [pid, { seconds }] of all) if (isBelow(pid)) sum += seconds
  return sum
}

function* processes(): Generator<readonly [number, Usage]> {
  for (const name of readdirSync('/proc')) {
    const usage = /^\d+$/.test(name) && usageOf(name)
    if (usage) yield [Number(name), usage]
  }
}

function usageOf(pid: string): Usage | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ')
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
    return { parent: Number(fields[1]), seconds: ticks / CLOCK_TICKS }
  } catch {
    return undefined
  }
}
