import { build } from 'rolldown'

const ENTRY = 'prebid-of-a-page'

/** The unmodified Prebid.js of a publisher's page with these of its modules, as one script. */
export async function prebidWith(...modules: readonly string[]): Promise<string> {
  const source = [
    "import prebid from 'prebid.js'",
    ...modules.map((name) => `import 'prebid.js/modules/${name}.js'`),
    'prebid.processQueue()',
  ].join('\n')
  const { output } = await build({
    input: ENTRY,
    cwd: import.meta.dirname,
    platform: 'browser',
    write: false,
    logLevel: 'silent',
    output: { format: 'iife' },
    plugins: [
      {
        name: 'entry',
        resolveId: (id) => (id === ENTRY ? `${import.meta.dirname}/${ENTRY}.js` : undefined),
        load: (id) => (id.endsWith(`/${ENTRY}.js`) ? source : undefined),
      },
    ],
  })
  return output[0].code
}
