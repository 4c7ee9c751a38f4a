import path from 'node:path'
import { defineConfig } from 'vitest/config'

// Threads and servers that tests start find their modules compiled: a third of a start.
process.env['NODE_COMPILE_CACHE'] ??= path.join(import.meta.dirname, 'node_modules/.cache/compiled')

export default defineConfig({
  test: {
    include: ['{apps,packages,bench,chaos,simulation,scripts}/**/*.test.ts'],
    globalSetup: ['scripts/tag-for-tests.ts', 'apps/server/src/testing/services/cluster.ts'],
    reporters: ['default', './scripts/count-reporter.ts'],
    // Far away: a test that waits says for what, and fails long before.
    testTimeout: 120_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 20_000 } },
    pool: 'forks',
    // Files of one worker share what they import: half of the processor time was importing.
    isolate: false,
    maxWorkers: 2,
  },
})
