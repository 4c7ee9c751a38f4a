import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { type Mutation, mutationsOf } from './mutations.ts'

/**
 * `npm run mutate [-- --count 120 --seed 1 --only pricing]`: changes one operator at a time in the rules that decide,
 * pace and bill, and asks the tests whether they notice. Files on disk stay as they are. Ends with one line of JSON.
 */
const ROOT = path.join(import.meta.dirname, '..')
const ENGINE = 'packages/decision-engine/src'
const BUDGETS = 'apps/server/src/capabilities/budgets'

/** What is changed, and the tests that must notice; the quickest come first. */
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

const named = ({ file, line, original, replacement }: Mutant) =>
  `${file}:${line} ${original} → ${replacement}`

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

const survived: string[] = []
const explained: string[] = []
const chosen = sample(all, Number(values.count), Number(values.seed))
for (const [done, mutant] of chosen.entries()) {
  if (isNoticed(mutant)) continue
  const name = named(mutant)
  const isAccepted = accepted.has(
    `${mutant.file} ${mutant.original} → ${mutant.replacement} #${mutant.line}`,
  )
  ;(isAccepted ? explained : survived).push(name)
  console.error(`${done + 1}/${chosen.length} survived: ${name}`)
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

/** Tests run with the change applied while the file is loaded; a run that hangs counts as noticed. */
function isNoticed({ file, start, end, replacement, tests }: Mutant): boolean {
  const { status } = spawnSync(
    'vitest',
    ['run', ...tests, '--config', 'scripts/vitest.mutate.config.ts', '--bail=1'],
    {
      cwd: ROOT,
      stdio: 'ignore',
      timeout: 120_000,
      env: { ...process.env, PLACARD_MUTANT: JSON.stringify({ file, start, end, replacement }) },
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
