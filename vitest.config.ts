import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{apps,packages,bench,chaos,simulation,scripts}/**/*.test.ts'],
    globalSetup: ['scripts/tag-for-tests.ts', 'apps/server/src/testing/cluster.ts'],
    reporters: ['default', './scripts/count-reporter.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    pool: 'forks',
    maxWorkers: 2,
  },
})
