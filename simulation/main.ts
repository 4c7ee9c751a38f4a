/** `npm run simulate -- <name>`: seeded days through the real code; the last line is JSON. */
const SIMULATIONS: Readonly<Record<string, () => Promise<object>>> = {
  geo: async () => (await import('./geo/main.ts')).simulateGeo(),
  market: async () => (await import('./market/main.ts')).simulateMarket(),
  contextual: async () => (await import('./contextual/main.ts')).simulateContextual(),
}

const [name = ''] = process.argv.slice(2)
const simulate = SIMULATIONS[name]
if (simulate) {
  console.log(JSON.stringify(await simulate()))
} else {
  const known = Object.keys(SIMULATIONS).join(', ')
  console.error(
    `There is no simulation ${name ? `"${name}"` : 'without a name'}. There is: ${known}.`,
  )
  process.exitCode = 1
}
