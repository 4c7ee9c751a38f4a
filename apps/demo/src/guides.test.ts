import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import {
  answersIn,
  type GuideStep,
  scriptOf,
  stepsOf,
} from '../../server/src/testing/guide-steps.ts'
import { demoTemplate, startDemo } from '../../server/src/testing/worlds/demo.ts'

const ROOT = path.join(import.meta.dirname, '../../..')
const ADDRESS = 'http://127.0.0.1:8080'

let template: string

beforeAll(async () => {
  template = await demoTemplate()
})

test.each([['ad-ops'], ['publisher'], ['advertiser'], ['trust'], ['video']])(
  'every step of the guide %s gives the answer in the guide',
  async (name) => {
    const { steps, others } = await stepsOf(`docs/guides/${name}.md`)
    const answers = await run(steps)

    expect(others).toEqual([])
    expect(steps.length).toBeGreaterThan(5)
    for (const [index, { command, expected }] of steps.entries()) {
      const shown = { command, answer: answers[index] }
      expect(shown).toMatchObject({ command, answer: expected })
    }
  },
)

test('the first screen of the README signs in and lists campaigns', async () => {
  const [, , first] = (await readFile(path.join(ROOT, 'README.md'), 'utf8')).split('```sh\n')
  const [answer] = await run([{ command: first!.split('```')[0]!, expected: undefined }])

  expect(answer).toMatchObject({ items: [{ status: 'active' }, { status: 'active' }] })
})

/** Runs the steps in one shell, as if pasted. Returns the answer of each step. */
async function run(steps: readonly GuideStep[]): Promise<readonly unknown[]> {
  const { http, deps } = await startDemo(template)
  // Some time passes between two steps, as for a person.
  const ticking = setInterval(() => deps.clock.advance(1), 50)
  onTestFinished(() => clearInterval(ticking))
  const address = await http.listen({ host: '127.0.0.1', port: 0 })
  const script = scriptOf(steps).replaceAll(ADDRESS, address)
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], {
    timeout: 60_000,
  })
  return answersIn(stdout)
}
