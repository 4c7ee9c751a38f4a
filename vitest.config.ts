import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{apps,packages,bench,chaos,simulation,scripts}/**/*.test.ts'],
    globalSetup: ['scripts/tag-for-tests.ts', 'apps/server/src/testing/cluster.ts'],
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
