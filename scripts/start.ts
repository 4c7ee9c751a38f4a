import { spawn } from 'node:child_process'
import path from 'node:path'
import { START_FLAGS } from '../apps/server/src/settings/start-flags.ts'

/**
 * Starts Placard with the flags of `start-flags.ts` and forwards signals. Placard runs in its own session: npm and
 * the terminal both send Ctrl-C here, and Placard must get it once. If this process is killed, its channel to
 * Placard closes, and Placard stops.
 */
const MAIN = path.join(import.meta.dirname, '../apps/server/src/main.ts')
const SAME_SIGNAL_MS = 1_000

const placard = spawn(process.execPath, [...START_FLAGS, MAIN], {
  stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  detached: true,
})
let lastMs = -SAME_SIGNAL_MS
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, passOn)
placard.once('exit', (code) => process.exit(code ?? 1))

/** The first signal makes Placard drain and stop, the second one ends it at once. */
function passOn(): void {
  const isSame = performance.now() - lastMs < SAME_SIGNAL_MS
  lastMs = performance.now()
  if (!isSame) placard.kill('SIGTERM')
}
