import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { DEMO_PASSWORD } from '../../../apps/demo/src/data/people.ts'
import { demoTemplate, startDemo } from '../../../apps/server/src/testing/worlds/demo.ts'

const EXAMPLES = path.join(import.meta.dirname, '../examples')

/** Runs an example against the demo, as a reader would. */
async function run(name: string, ...given: readonly string[]): Promise<string[]> {
  const { http, deps } = await startDemo(await demoTemplate())
  // Examples use the real clock, so their session must be valid then.
  if (given.length > 1) deps.clock.moveTo(new Date().toISOString())
  const url = await http.listen({ host: '127.0.0.1', port: 0 })
  const file = path.join(EXAMPLES, `${name}.ts`)
  const { stdout } = await promisify(execFile)(process.execPath, [file, url, ...given])
  return stdout.trim().split('\n')
}

test('the example that books a campaign books one and lists it', async () => {
  const said = await run('book-a-campaign', 'adops@demo.placard.example', DEMO_PASSWORD)

  expect(said).toEqual([
    expect.stringMatching(/^Autumn sale is a draft with a budget in [A-Z]{3}$/),
    'found 1 of that name',
    'VERSION_MISMATCH',
  ])
})

test('the example of a server-rendered page prints banners with their tracking links', async () => {
  const said = await run('serve-from-a-server', 'magazine-feed', '10000')

  expect(said[0]).toMatch(/^<a href="http.*\/t\/c\/.*<img src=/)
  expect(said[1]).toMatch(/\/t\/i\//)
})
