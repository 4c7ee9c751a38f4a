import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { rolldown } from 'rolldown'

const SOURCE = path.join(import.meta.dirname, 'src')

/** The tag as pages load it: one classic script without a name of its own in the page. */
export async function buildTag(): Promise<string> {
  const bundle = await rolldown({ input: path.join(SOURCE, 'tag.ts'), platform: 'browser' })
  const { output } = await bundle.generate({ format: 'iife', minify: true })
  await bundle.close()
  // What is left of line ends stands in the style rules; remarks are for bundlers.
  return output[0].code.replaceAll(/\n|\/\* @__PURE__ \*\/ /g, '')
}

/** The document in which other people's markup is shown. */
export async function buildFrame(): Promise<string> {
  const text = await readFile(path.join(SOURCE, 'frame.html'), 'utf8')
  return text.replaceAll(/\n\s*/g, '\n')
}
