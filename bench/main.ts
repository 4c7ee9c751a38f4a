import { loadavg } from 'node:os'

/** `npm run bench -- <name>`: measures one thing; words go to stderr, the figures are one last line of JSON. */
const BENCHES: Readonly<Record<string, () => Promise<object>>> = {
  catalogue: async () => (await import('./catalogue/catalogue.ts')).measureCatalogue(),
}

const name = process.argv[2] ?? ''
const bench = BENCHES[name]
if (bench) {
  const figures = await bench()
  console.log(JSON.stringify({ ...figures, loadAverage: loadavg()[0] }))
} else {
  const known = Object.keys(BENCHES).join(', ')
  console.error(
    `There is no benchmark ${name ? `"${name}"` : 'without a name'}. There is: ${known}.`,
  )
  process.exitCode = 1
}
