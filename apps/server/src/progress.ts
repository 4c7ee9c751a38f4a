/** Messages for the person at the terminal; everything else goes to the log. */

// A closed terminal must not end the process before the database has stopped.
process.stdout.on('error', () => {})
process.stderr.on('error', () => {})

export function say(message: string): void {
  process.stdout.write(`${message}\n`)
}

/** In red if the terminal shows colours. */
export function warn(message: string): void {
  const hasColors = process.stdout.isTTY && process.stdout.hasColors()
  say(hasColors ? `\x1b[1;31m${message}\x1b[0m` : message)
}

export function reportStart(reason: unknown): void {
  const text = typeof reason === 'string' ? reason : ((reason as Error)?.stack ?? String(reason))
  process.stderr.write(`Placard did not start. ${text}\n`)
}
