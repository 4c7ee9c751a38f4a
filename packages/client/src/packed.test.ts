import { execFile } from 'node:child_process'
import { copyFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { demoTemplate, startDemo } from '../../../apps/server/src/testing/worlds/demo.ts'
import { packClient } from '../build.ts'

const EXAMPLE = path.join(import.meta.dirname, '../examples/serve-from-a-server.ts')
const runProgram = promisify(execFile)

/** A program outside this repository, with the client installed from its tarball. */
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'client-'))
  const tarball = packClient(folder)
  await writeFile(path.join(folder, 'package.json'), '{ "type": "module" }')
  const install = ['install', '--prefer-offline', '--no-audit', '--no-fund', tarball]
  await runProgram('npm', install, { cwd: folder })
  // The example has no type annotations, so it is valid JavaScript.
  await copyFile(EXAMPLE, path.join(folder, 'serve.js'))
})

afterAll(() => rm(folder, { recursive: true, force: true }))

/** Runs a file of that folder against the demo, with a long time limit. */
async function printed(node: string, file: string): Promise<string> {
  const { http } = await startDemo(await demoTemplate())
  const url = await http.listen({ host: '127.0.0.1', port: 0 })
  const given = [file, url, 'magazine-feed', '10000']
  const { stdout } = await runProgram(node, given, { cwd: folder })
  return stdout
}

const AN_AD = /^<a href="http:\/\/.*\/t\/c\/.*\n<img src="http:\/\/.*\/t\/i\//

test('the packed client contains JavaScript and declarations, but no TypeScript', async () => {
  const installed = path.join(folder, 'node_modules/@placard/client')
  const files = await readdir(installed, { recursive: true })

  expect(files).toEqual(expect.arrayContaining(['index.js', 'index.d.ts', 'observations.js']))
  expect(files.filter((file) => /(?<!\.d)\.ts$/.test(file))).toEqual([])
})

test.each([
  ['the Node of the project', process.execPath],
  ['the Node that npm runs on', process.env['npm_node_execpath'] ?? process.execPath],
])('%s runs a program that installed the packed client', async (_, node) => {
  expect(await printed(node, 'serve.js')).toMatch(AN_AD)
})

test('a bundler combines a program and the packed client into one file that runs alone', async () => {
  const bundle = await rolldown({ input: path.join(folder, 'serve.js'), platform: 'browser' })
  const file = path.join(folder, 'bundled.mjs')
  await bundle.write({ file, format: 'esm' })
  await bundle.close()

  expect(await readFile(file, 'utf8')).not.toMatch(/from ['"]@placard/)
  expect(await printed(process.execPath, 'bundled.mjs')).toMatch(AN_AD)
})

test('a TypeScript program is checked against the types of the packed client', async () => {
  const program = `import { createClient } from '@placard/client'
const placard = createClient({ url: 'https://ads.example' })
const { placements } = await placard.call('servePlacements', { body: { slugs: ['home-hero'] } })
export const headline: string | null | undefined = placements[0]?.banners[0]?.headline
// @ts-expect-error: slugs are texts
await placard.call('servePlacements', { body: { slugs: [1] } })
`
  await writeFile(path.join(folder, 'typed.ts'), program)
  const options = ['--strict', '--noEmit', '--module', 'nodenext', '--target', 'es2022']

  const given = [...options, '--lib', 'es2022,dom', 'typed.ts']
  await expect(runProgram('tsc', given, { cwd: folder })).resolves.toMatchObject({ stdout: '' })
})
