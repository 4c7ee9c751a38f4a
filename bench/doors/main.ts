import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Dice } from '../engine/dice.ts'
import { median, rounded } from '../scratch.ts'
import { atMost, type Spent } from '../serve/load.ts'
import { leaveServerCore } from '../serve/processes.ts'
import { addressesByCountry, serveRequest, type WrkRequest, wrkScript } from '../serve/requests.ts'
import { startSubject, type Subject } from '../serve/subject.ts'
import { DOOR_REQUESTS } from './requests.ts'

/**
 * `doors [ads]`: processor time per request of each door over that of POST /api/v1/ads/serve. Both run in
 * alternating windows of 5 s against one process, and the medians count.
 */
const ADS = 10_000
const REQUESTS = 5_000
const USERS = 200_000
const ROUNDS = 5
const WARM_UPS = 2

const say = (text: string) => process.stderr.write(`${text}\n`)
const NAMES = Object.keys(DOOR_REQUESTS) as (keyof typeof DOOR_REQUESTS)[]

type Scripts = ReadonlyMap<string, { readonly wrk: string }>

async function main(ads: number): Promise<void> {
  leaveServerCore()
  const folder = await mkdtemp(path.join(tmpdir(), 'placard-doors-'))
  say(`${ads} ads: writing the catalogue and starting`)
  const subject = await startSubject(ads)
  try {
    const scripts = await writeScripts(folder, subject)
    const rounds = await takeRounds(subject, scripts)
    const of = (name: string) => rounds.map((round) => round.get(name)!)
    const serve = of('serve')
    const ratios = NAMES.map((name) => [name, ratioOf(of(name), serve)] as const)
    const micros = ['serve', ...NAMES].map((name) => [
      name,
      rounded(median(of(name).map(({ cpuMicros }) => cpuMicros))),
    ])
    const errors = rounds.flatMap((round) => [...round.values()]).filter((one) => one.errors > 0)
    console.log(
      JSON.stringify({
        ...Object.fromEntries(ratios),
        cpuMicrosPerRequest: Object.fromEntries(micros),
        baselinePerSecond: Math.round(median(serve.map(({ perSecond }) => perSecond))),
        windowsWithErrors: errors.length,
      }),
    )
  } finally {
    await subject.stop()
    await rm(folder, { recursive: true })
  }
}

/** Each door is compared with the native windows before it. */
const ratioOf = (door: readonly Spent[], serve: readonly Spent[]): number =>
  rounded(median(door.map(({ cpuMicros }, at) => cpuMicros / serve[at]!.cpuMicros)), 2)

async function writeScripts(folder: string, { placements }: Subject): Promise<Scripts> {
  const dice = new Dice(11)
  const addresses = [...(await addressesByCountry(dice, 60)).values()]
  const mix = { placements, users: USERS, addresses }
  const makers = { serve: serveRequest, ...DOOR_REQUESTS }
  const scripts = new Map<string, { readonly wrk: string }>()
  for (const [name, make] of Object.entries(makers)) {
    const requests = Array.from({ length: REQUESTS }, (): WrkRequest => make(dice, mix))
    const wrk = path.join(folder, `${name}.lua`)
    await writeFile(wrk, wrkScript(requests))
    scripts.set(name, { wrk })
  }
  return scripts
}

async function takeRounds(subject: Subject, scripts: Scripts) {
  const rounds: Map<string, Spent>[] = []
  for (let round = 0; round < WARM_UPS + ROUNDS; round++) {
    const spent = new Map<string, Spent>()
    for (const [name, script] of scripts) spent.set(name, await atMost(subject, script))
    if (round >= WARM_UPS) rounds.push(spent)
    say([...spent].map(([name, one]) => `${name} ${one.cpuMicros.toFixed(1)} µs`).join(', '))
  }
  return rounds
}

await main(Number(process.argv[2] ?? ADS))
