import type { Reporter, TestModule } from 'vitest/node'

/** Ends the run with one line: `N passed, N failed`, counted from the runner's report. */
export default class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const broken = modules.filter((module) => module.errors().length > 0).length
    const passed = tests.filter((test) => test.result().state === 'passed').length
    const failed = tests.length - passed + broken

    process.stdout.write(`\n${passed} passed, ${failed} failed\n`)
  }
}
