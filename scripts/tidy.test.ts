import { existsSync, globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { countCasts } from './casts.ts'
import { type Import, importsOf, listSources, ROOT } from './imports.ts'
import { missingIn, readLockfile } from './lockfile.ts'

/** Rules that the linter cannot express: imports, and where settings, time and randomness are read. */
const rules = [
  {
    rule: 'the environment is read in main.ts only',
    in: /^apps\/(server|demo)\/src\/(?!main\.ts|testing\/)/,
    never: /process\.env/,
  },
  {
    rule: 'time is passed in',
    in: /^(apps\/(?:server|demo)\/src|packages)\/(?!.*(testing\/|\.test\.ts|platform\/clock\.ts))/,
    never: /Date\.now\(|new Date\(\)/,
  },
  {
    rule: 'randomness is passed in',
    in: /^(apps\/(?:server|demo)\/src|packages)\/(?!.*(testing\/|\.test\.ts|platform\/random\.ts))/,
    never: /Math\.random\(/,
  },
  {
    rule: 'only store, reads and tables speak SQL',
    in: /\/capabilities\/(?!.*\/(store|tables|reads)[^/]*\.ts$|.*\.test\.ts)/,
    never: /from 'drizzle-orm/,
  },
  {
    rule: 'of the capabilities only tracking, budgets and frequency use the raw pool (docs/internals/sql.md)',
    in: /\/capabilities\/(?!(tracking|budgets|frequency)\/)(?!.*(\.test\.ts$|\/testing))/,
    never: /\b(pool|client)\.query\b/,
  },
  {
    rule: 'a rule of a capability does no input or output',
    in: /\/capabilities\/.*\/(campaign|targeting|cap|access|session|banner|recurrence|approval|placement|site)\.ts$/,
    never: /from '(fastify|drizzle-orm|pg|node:fs|node:http)/,
  },
  { rule: 'a TODO names its issue', in: /./, never: /\bTODO(?!\(#\d+\))/ },
  {
    rule: 'a test runs, and runs beside the others',
    in: /\.test\.ts$/,
    never: /\b(it|test|describe)\.(skip|only|todo)\b/,
  },
  {
    rule: 'a test, bench or chaos run that waits has an end and says what it waited for: testing/until.ts',
    in: /\.test\.tsx?$|\/testing|^(bench|chaos|simulation)\//,
    never: /^ *(for \(;;\)|while \((?!.* < ).*\bawait\b)/m,
  },
  { rule: 'nothing is exported wholesale', in: /./, never: /^export \* from/m },
]

/** Judges the imported file, not the text of the import. */
const importRules: readonly {
  readonly rule: string
  readonly isBroken: (edge: Import) => boolean
}[] = [
  {
    rule: 'the engine imports nothing of the system',
    isBroken: ({ from, to }) =>
      from.startsWith('packages/decision-engine/src/') &&
      !from.includes('/testing/') &&
      (to.startsWith('node:') || to.startsWith('apps/')),
  },
  {
    rule: 'platform knows nothing of ads',
    isBroken: ({ from, to }) => isIn(from, PLATFORM) && !isIn(to, PLATFORM) && isIn(to, SERVER),
  },
  {
    rule: 'a capability is entered through its index.ts or its tables.ts, by compose/ also through its module.ts',
    isBroken: ({ from, to }) => {
      const entered = capabilityOf(to)
      if (entered === undefined || entered === capabilityOf(from)) return false
      const file = to.slice(`${CAPABILITIES}${entered}/`.length)
      if (file === 'module.ts') return !isIn(from, `${SERVER}compose/`)
      return !/^(index|tables)\.ts$/.test(file)
    },
  },
  {
    rule: 'capabilities do not know how they are composed',
    isBroken: ({ from, to }) => isIn(from, CAPABILITIES) && isIn(to, `${SERVER}compose/`),
  },
  {
    rule: 'the server knows the demo in compose/demo only',
    isBroken: ({ from, to }) =>
      isIn(from, SERVER) && isIn(to, 'apps/demo/') && !from.startsWith(`${SERVER}compose/demo`),
  },
]

const SERVER = 'apps/server/src/'
const PLATFORM = `${SERVER}platform/`
const CAPABILITIES = `${SERVER}capabilities/`

const isIn = (file: string, folder: string) => file.startsWith(folder)
const capabilityOf = (file: string) =>
  isIn(file, CAPABILITIES) ? file.slice(CAPABILITIES.length).split('/')[0] : undefined

/** Tests may import internals. Benches, simulations and chaos measure parts on purpose. */
const isProduct = (file: string) =>
  isIn(file, 'apps/') && !/\.test\.tsx?$|\/testing|apps\/server\/src\/testing\//.test(file)

const LINES_MAX = 400
const README_LINES_MAX = 40
const README_COLUMNS_MAX = 100
const FOLDER_FILES_MAX = 25
const CASTS_PER_THOUSAND = 3.6

const sources = listSources().filter(({ file }) => file !== 'scripts/tidy.test.ts')

test.each(importRules)('$rule', ({ isBroken }) => {
  const broken = sources
    .filter(({ file }) => isProduct(file) || isIn(file, 'packages/decision-engine/'))
    .filter(({ file }) => !file.endsWith('.test.ts'))
    .flatMap(importsOf)
    .filter(isBroken)

  expect(broken.map(({ from, to }) => `${from} → ${to}`)).toEqual([])
})

test('an import is judged by the imported file: other capabilities’ folders are closed, own folders are open', () => {
  const broken = (specifier: string) =>
    importsOf({
      file: `${CAPABILITIES}decisions/serving/serve.ts`,
      text: `import { one } from '${specifier}'`,
    }).filter((edge) => importRules.some(({ isBroken }) => isBroken(edge))).length

  expect(broken('../../budgets/book/memory-book.ts')).toBe(1)
  expect(broken('../../../capabilities/./budgets/book/memory-book.ts')).toBe(1)
  expect(broken('../../budgets/module.ts')).toBe(1)
  expect(broken('../../../compose/api.ts')).toBe(1)
  expect(broken('../../budgets/index.ts')).toBe(0)
  expect(broken('../../budgets/tables.ts')).toBe(0)
  expect(broken('../catalogue/catalogue.ts')).toBe(0)
  expect(broken('../../../platform/http/server.ts')).toBe(0)
})

test(`no folder of the server, the console or the engine has more than ${FOLDER_FILES_MAX} files besides tests`, () => {
  const counts = new Map<string, number>()
  for (const { file } of sources) {
    if (!/^(apps\/(server|demo|console)|packages\/decision-engine)\/src\//.test(file)) continue
    if (file.endsWith('.test.ts') || file.includes('/testing')) continue
    const folder = path.posix.dirname(file)
    counts.set(folder, (counts.get(folder) ?? 0) + 1)
  }

  expect([...counts].filter(([, files]) => files > FOLDER_FILES_MAX)).toEqual([])
})

test.each(rules)('$rule', ({ in: place, never }) => {
  const broken = sources.filter(({ file, text }) => place.test(file) && never.test(text))

  expect(broken.map(({ file }) => file)).toEqual([])
})

test(`no file is longer than ${LINES_MAX} lines`, () => {
  const long = sources.filter(({ text }) => text.split('\n').length > LINES_MAX + 1)

  expect(long.map(({ file }) => file)).toEqual([])
})

test('a type assertion is counted; `as const`, a rename, a comment, text and SQL are not', () => {
  expect(countCasts('const a = b as Thing, c = d as unknown as string[]')).toBe(3)
  expect(countCasts('for (const key of Object.keys(all) as (keyof Wanted)[]) say(key)')).toBe(1)
  const others = [
    'const a = [1] as const',
    "import { one as Two } from './one.ts'",
    '// such as Things',
    "say('as good as New')",
    'with found as (select 1), kept as (',
  ]
  expect(others.map(countCasts)).toEqual(others.map(() => 0))
})

test(`fewer than ${CASTS_PER_THOUSAND} of 1,000 lines assert a type; lower the number, never raise it`, () => {
  const product = sources.filter(
    ({ file }) =>
      /^(apps|packages)\/[^/]+\/src\//.test(file) &&
      !/\.test\.tsx?$|\/testing|generated/.test(file),
  )
  const casts = product.reduce((sum, { text }) => sum + countCasts(text), 0)
  const lines = product.reduce((sum, { text }) => sum + text.split('\n').length, 0)

  expect((casts / lines) * 1_000).toBeLessThan(CASTS_PER_THOUSAND)
})

test('every capability has a README', () => {
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

test('the lockfile has the packages of every platform: `npm run complete-lockfile` adds them', () => {
  expect(missingIn(readLockfile()).map(({ name }) => name)).toEqual([])
})

test(`a README beside the code has at most ${README_LINES_MAX} lines of ${README_COLUMNS_MAX} columns`, () => {
  const readmes = globSync('{apps,packages,chaos}/**/README.md', {
    cwd: ROOT,
    exclude: ['**/node_modules/**', '**/dist/**'],
  })

  const long = readmes.filter((file) => {
    const lines = readFileSync(path.join(ROOT, file), 'utf8').trimEnd().split('\n')
    return lines.length > README_LINES_MAX || lines.some((line) => line.length > README_COLUMNS_MAX)
  })
  expect(long).toEqual([])
})
