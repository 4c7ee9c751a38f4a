import path from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const ROOT = path.join(import.meta.dirname, '..')
const mutant = JSON.parse(process.env['PLACARD_MUTANT'] ?? 'null') as {
  readonly file: string
  readonly start: number
  readonly end: number
  readonly replacement: string
  readonly tests: readonly string[]
} | null

const place = ({ moduleId }: TestSpecification) =>
  mutant?.tests.findIndex((path) => moduleId.includes(path)) ?? 0

/** Test files in the order of the target's list, so that quick ones notice most changes. */
class InListedOrder extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return Promise.resolve(files.toSorted((a, b) => place(a) - place(b)))
  }
}

/** Pure tests only, with one change applied to one file while it is loaded. */
export default defineConfig({
  root: ROOT,
  plugins: [
    {
      name: 'mutant',
      enforce: 'pre',
      transform(code: string, id: string) {
        if (mutant === null || id.split('?')[0] !== path.join(ROOT, mutant.file)) return undefined
        return {
          code: code.slice(0, mutant.start) + mutant.replacement + code.slice(mutant.end),
          map: null,
        }
      },
    },
  ],
  test: {
    include: ['packages/**/*.test.ts', 'apps/server/src/capabilities/**/*.test.ts'],
    exclude: ['**/book-days.test.ts', '**/node_modules/**'],
    pool: 'threads',
    isolate: false,
    // Vitest keeps transformed modules on disk and would run the unchanged file.
    fsModuleCache: false,
    sequence: { sequencer: InListedOrder },
    maxWorkers: 1,
    testTimeout: 60_000,
  },
})
