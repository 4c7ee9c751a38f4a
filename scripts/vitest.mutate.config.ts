import path from 'node:path'
import { defineConfig } from 'vitest/config'

const ROOT = path.join(import.meta.dirname, '..')
const mutant = JSON.parse(process.env['PLACARD_MUTANT'] ?? 'null') as {
  readonly file: string
  readonly start: number
  readonly end: number
  readonly replacement: string
} | null

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
    maxWorkers: 1,
    testTimeout: 60_000,
  },
})
