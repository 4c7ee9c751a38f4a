import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

/** What the linter cannot say: who may import whom, and where settings, time and chance are read. */
const ROOT = path.join(import.meta.dirname, '..')

const rules = [
  {
    rule: 'the environment is read in main.ts only',
    in: /^apps\/server\/src\/(?!main\.ts|testing\/)/,
    never: /process\.env/,
  },
  {
    rule: 'time is passed in',
    in: /^(apps\/server\/src|packages)\/(?!.*(testing\/|\.test\.ts|platform\/clock\.ts))/,
    never: /Date\.now\(|new Date\(\)/,
  },
  {
    rule: 'chance is passed in',
    in: /^(apps\/server\/src|packages)\/(?!.*(testing\/|\.test\.ts|platform\/chance\.ts))/,
    never: /Math\.random\(/,
  },
  {
    rule: 'the engine imports nothing of the system',
    in: /^packages\/decision-engine\/src\/(?!.*\.test\.ts|testing\/)/,
    never: /from 'node:/,
  },
  {
    rule: 'platform knows nothing of ads',
    in: /^apps\/server\/src\/platform\/(?!.*\.test\.ts)/,
    never: /from '.*\/capabilities\//,
  },
  {
    rule: 'a capability is entered through its index.ts or its tables.ts',
    in: /\/capabilities\/(?!.*\.test\.ts)/,
    never: /from '\.\.\/[a-z-]+\/(?!index\.ts|tables\.ts)/,
  },
  {
    rule: 'only store, reads and tables speak SQL',
    in: /\/capabilities\/[^/]+\/(?!store|tables|reads|.*\.test)/,
    never: /from 'drizzle-orm/,
  },
  {
    rule: 'a rule of a capability does no input or output',
    in: /\/capabilities\/[^/]+\/(campaign|targeting|cap|access|session|banner|recurrence|approval|placement|site)\.ts$/,
    never: /from '(fastify|drizzle-orm|pg|node:fs|node:http)/,
  },
  { rule: 'a TODO names its issue', in: /./, never: /\bTODO(?!\(#\d+\))/ },
  {
    rule: 'a test runs, and runs beside the others',
    in: /\.test\.ts$/,
    never: /\b(it|test|describe)\.(skip|only|todo)\b/,
  },
  { rule: 'nothing is exported wholesale', in: /./, never: /^export \* from/m },
]

const LINES_MAX = 400

const sources = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.ts', '*.tsx'], {
  cwd: ROOT,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => file && existsSync(path.join(ROOT, file)) && file !== 'scripts/tidy.test.ts')
  .map((file) => ({ file, text: readFileSync(path.join(ROOT, file), 'utf8') }))

test.each(rules)('$rule', ({ in: place, never }) => {
  const broken = sources.filter(({ file, text }) => place.test(file) && never.test(text))

  expect(broken.map(({ file }) => file)).toEqual([])
})

test(`no file is longer than ${LINES_MAX} lines`, () => {
  const long = sources.filter(({ text }) => text.split('\n').length > LINES_MAX + 1)

  expect(long.map(({ file }) => file)).toEqual([])
})

test('every capability says what it is for', () => {
  const folders = new Set(
    sources.flatMap(({ file }) => /^apps\/server\/src\/capabilities\/[^/]+/.exec(file)?.[0] ?? []),
  )

  const silent = [...folders].filter((folder) => !existsSync(path.join(ROOT, folder, 'README.md')))
  expect(silent).toEqual([])
})

test('the lockfile names no download address', () => {
  const lock = readFileSync(path.join(ROOT, 'package-lock.json'), 'utf8')

  expect(lock).not.toMatch(/"resolved": "https?:/)
})
