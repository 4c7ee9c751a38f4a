import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { demoTemplate, startDemo } from '../../server/src/testing/worlds/demo.ts'

const ROOT = path.join(import.meta.dirname, '../../..')
const ADDRESS = 'http://127.0.0.1:8080'

let template: string

beforeAll(async () => {
  template = await demoTemplate()
})

test.each([['ad-ops'], ['publisher'], ['advertiser'], ['trust']])(
  'every step of the guide %s gives the answer in the guide',
  async (name) => {
    const steps = await stepsOf(`docs/guides/${name}.md`)
    const answers = await run(steps)

    expect(steps.length).toBeGreaterThan(5)
    for (const [index, { command, expected }] of steps.entries()) {
      const shown = { command, answer: parsed(answers[index]!) }
      expect(shown).toMatchObject({ command, answer: expected })
    }
  },
)

test('the first screen of the README signs in and lists campaigns', async () => {
  const [, , first] = (await readFile(path.join(ROOT, 'README.md'), 'utf8')).split('```sh\n')
  const [answer] = await run([{ command: first!.split('```')[0]!, expected: undefined }])

  expect(parsed(answer!)).toMatchObject({ items: [{ status: 'active' }, { status: 'active' }] })
})

interface Step {
  readonly command: string
  readonly expected: unknown
}

/** Each block of commands with the answer that follows it. */
async function stepsOf(file: string): Promise<Step[]> {
  const text = await readFile(path.join(ROOT, file), 'utf8')
  const steps = [...text.matchAll(/```sh\n(.*?)```\n\n```json\n(.*?)```/gs)]
  expect(steps).toHaveLength(text.match(/```sh/g)!.length)
  return steps.map(([, command, expected]) => ({
    command: command!,
    expected: JSON.parse(expected!),
  }))
}

const MARK = '-- the next step --'

/** Runs the steps in one shell, as if pasted. Returns the output of each step. */
async function run(steps: readonly Step[]): Promise<string[]> {
  const { http, deps } = await startDemo(template)
  // Some time passes between two steps, as for a person.
  const ticking = setInterval(() => deps.clock.advance(1), 50)
  onTestFinished(() => clearInterval(ticking))
  const address = await http.listen({ host: '127.0.0.1', port: 0 })
  const commands = steps.map(({ command }) => command.replaceAll(ADDRESS, address))
  const script = commands.join(`\necho; echo '${MARK}'\n`)
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], {
    timeout: 60_000,
  })
  return stdout.split(MARK)
}

/** The last printed line. */
function parsed(output: string): unknown {
  const line = output.trim().split('\n').at(-1)!
  try {
    return JSON.parse(line)
  } catch {
    return line
  }
}
