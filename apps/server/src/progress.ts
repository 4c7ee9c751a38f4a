/** Words for the person at the terminal; everything else is in the log. */

// A terminal that was closed is no reason to end without stopping the database.
process.stdout.on('error', () => {})
process.stderr.on('error', () => {})

export function say(message: string): void {
  process.stdout.write(`${message}\n`)
}

/** In red where the terminal shows colours. */
export function warn(message: string): void {
  const hasColors = process.stdout.isTTY && process.stdout.hasColors()
  say(hasColors ? `\x1b[1;31m${message}\x1b[0m` : message)
}

export function reportStart(reason: unknown): void {
  const text = typeof reason === 'string' ? reason : ((reason as Error)?.stack ?? String(reason))
  process.stderr.write(`Placard did not start. ${text}\n`)
}
