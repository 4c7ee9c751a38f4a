import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { type Mutation, mutationsOf } from './mutations.ts'

/**
 * `npm run mutate [-- --count all --seed 1 --only pacing]`: changes one operator at a time in the rules that decide,
 * pace and bill, and reports which changes no test notices. Files on disk stay as they are. Ends with one line of JSON.
 * `mutants-accepted.json` lists mutants that are as correct as the original, each with its reason.
 */
const ROOT = path.join(import.meta.dirname, '..')
const ENGINE = 'packages/decision-engine/src'
const BUDGETS = 'apps/server/src/capabilities/budgets'

/** Sources, and the tests that must notice a change of them, in the order in which they run: quick ones first. */
const TARGETS: readonly { readonly sources: string; readonly tests: readonly string[] }[] = [
  { sources: 'packages/money/src/*.ts', tests: ['packages/money'] },
  {
    sources: `${ENGINE}/{decide,pacing,explain}/*.ts`,
    tests: [
      `${ENGINE}/decide`,
      `${ENGINE}/pacing`,
      `${ENGINE}/explain`,
      `${ENGINE}/cases`,
      `${ENGINE}/agreement`,
    ],
  },
  {
    sources: `${BUDGETS}/{book,pacers}/{memory-book,reservations,spend-columns,spend-view,buyers,verdict-changes,zone-day,pacer}.ts`,
    tests: [`${BUDGETS}/book`, `${BUDGETS}/pacers/pacer`],
  },
]

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '120' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
  },
})

interface Mutant extends Mutation {
  readonly file: string
  readonly tests: readonly string[]
}

/** Named by the changed line, so that changes of other lines do not matter. */
const named = ({ file, changedLine }: Mutant) => `${file}: ${changedLine}`

const accepted = new Map<string, string>(
  Object.entries(
    JSON.parse(readFileSync(path.join(ROOT, 'scripts/mutants-accepted.json'), 'utf8')) as Record<
      string,
      string
    >,
  ),
)

const all = TARGETS.flatMap(({ sources, tests }) =>
  globSync(sources, { cwd: ROOT })
    .filter((file) => !file.endsWith('.test.ts') && file.includes(values.only))
    .toSorted()
    .flatMap((file) =>
      mutationsOf(readFileSync(path.join(ROOT, file), 'utf8'), file).map((mutation): Mutant => ({
        ...mutation,
        file,
        tests,
      })),
    ),
)

for (const { tests, sources } of TARGETS) checkTests(tests, sources)

const survived: string[] = []
const explained: string[] = []
const count = values.count === 'all' ? all.length : Number(values.count)
const chosen = sample(all, count, Number(values.seed))
for (const [done, mutant] of chosen.entries()) {
  if (isNoticed(mutant)) continue
  const name = named(mutant)
  if (accepted.has(name)) {
    explained.push(name)
    continue
  }
  survived.push(name)
  console.error(`${done + 1}/${chosen.length} survived: ${name} (line ${mutant.line})`)
}
const killed = chosen.length - survived.length - explained.length
console.log(
  JSON.stringify({
    mutants: chosen.length,
    of: all.length,
    killed,
    killedShare:
      Math.round((1_000 * killed) / Math.max(1, chosen.length - explained.length)) / 1_000,
    survived,
    explained,
  }),
)

/** The tests pass as the sources are, and fail when a source throws: otherwise no count would mean anything. */
function checkTests(tests: readonly string[], sources: string): void {
  const mutant = all.find((each) => each.tests === tests)
  if (mutant === undefined) return
  if (isNoticed({ ...mutant, start: 0, end: 0, replacement: '' })) {
    throw new Error(`The tests of ${sources} fail without a change. Make them pass first.`)
  }
  if (!isNoticed({ ...mutant, start: 0, end: 0, replacement: "throw new Error('planted');" })) {
    throw new Error(`A planted error in ${mutant.file} is not noticed: changes are not applied.`)
  }
}

/** Runs the tests with the change applied while the file is loaded. A run that hangs counts as noticed. */
function isNoticed({ file, start, end, replacement, tests }: Mutant): boolean {
  const { status } = spawnSync(
    'vitest',
    ['run', ...tests, '--config', 'scripts/vitest.mutate.config.ts', '--bail=1'],
    {
      cwd: ROOT,
      stdio: 'ignore',
      timeout: 120_000,
      env: {
        ...process.env,
        PLACARD_MUTANT: JSON.stringify({ file, start, end, replacement, tests }),
      },
    },
  )
  return status !== 0
}

/** The same seed chooses the same mutants. */
function sample(mutants: readonly Mutant[], count: number, seed: number): readonly Mutant[] {
  let state = seed >>> 0 || 1
  const draw = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  return mutants
    .map((mutant) => ({ mutant, at: draw() }))
    .toSorted((a, b) => a.at - b.at)
    .slice(0, count)
    .map(({ mutant }) => mutant)
}
