import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { rolldown } from 'rolldown'

/** The tag as pages load it: one classic script without global names. */
async function bundleTag(): Promise<string> {
  const input = path.join(import.meta.dirname, 'src/tag.ts')
  const bundle = await rolldown({ input, platform: 'browser' })
  const { output } = await bundle.generate({ format: 'iife', minify: true })
  await bundle.close()
  // The remaining line breaks are in the style rules; the comments are hints for bundlers.
  return output[0].code.replaceAll(/\n|\/\* @__PURE__ \*\/ /g, '')
}

const folder = path.join(import.meta.dirname, 'dist')
await mkdir(folder, { recursive: true })
await writeFile(path.join(folder, 'tag.js'), await bundleTag())
