/** Words for the person at the terminal; everything else is in the log. */

export function say(message: string): void {
  process.stdout.write(`${message}\n`)
}

export function reportStart(reason: unknown): void {
  const text = typeof reason === 'string' ? reason : ((reason as Error)?.stack ?? String(reason))
  process.stderr.write(`Placard did not start. ${text}\n`)
}
