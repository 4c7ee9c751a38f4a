/** `npm run simulate -- <name>`: runs seeded days through the real code. The last line is JSON. */
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
    `${name ? `There is no simulation "${name}"` : 'Name a simulation'}. Known simulations: ${known}.`,
  )
  process.exitCode = 1
}
