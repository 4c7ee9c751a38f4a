import { spawn } from 'node:child_process'

/** Checks before a merge. Every step runs, so that one run shows all faults. */
const steps: readonly (readonly [name: string, command: string, ...args: string[]])[] = [
  ['format', 'oxfmt', '--check'],
  ['lint', 'oxlint', '--type-aware', '--deny-warnings'],
  ['types', 'tsc', '-p', '.'],
  ['types of the console', 'tsc', '-p', 'apps/console'],
  ['types of the tag', 'tsc', '-p', 'packages/tag'],
  ['dead code', 'knip', '--no-progress'],
]

let failed = 0
for (const [name, command, ...args] of steps) {
  const { code, output } = await run(command, args)
  if (code !== 0) failed++
  console.log(`${code === 0 ? 'ok  ' : 'FAIL'} ${name}`)
  if (code !== 0) console.log(output)
}
console.log('Tidy rules, schema, OpenAPI and settings drift are compared in the tests.')
process.exit(failed === 0 ? 0 : 1)

function run(command: string, args: readonly string[]): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
    child.on('error', (error) => (output += error.message))
    child.on('close', (code) => resolve({ code: code ?? 1, output }))
  })
}
