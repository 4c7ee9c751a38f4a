import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { rolldown } from 'rolldown'

/** The tag is a classic script without global names; what it loads is a module. */
const SCRIPTS = [
  { source: 'tag', built: 'tag', format: 'iife' },
  { source: 'shop', built: 'tag-shop', format: 'esm' },
  { source: 'consent', built: 'tag-consent', format: 'esm' },
  { source: 'over', built: 'tag-over', format: 'esm' },
] as const

async function bundle({ source, format }: (typeof SCRIPTS)[number]): Promise<string> {
  const input = path.join(import.meta.dirname, `src/${source}.ts`)
  const bundle = await rolldown({ input, platform: 'browser' })
  const { output } = await bundle.generate({ format, minify: true })
  await bundle.close()
  // The remaining line breaks are in the style rules; the comments are hints for bundlers.
  return output[0].code.replaceAll(/\n|\/\* @__PURE__ \*\/ /g, '')
}

const folder = path.join(import.meta.dirname, 'dist')
await mkdir(folder, { recursive: true })
for (const script of SCRIPTS)
  await writeFile(path.join(folder, `${script.built}.js`), await bundle(script))
