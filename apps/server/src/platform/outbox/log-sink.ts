import type { Sink } from './relay.ts'

/** Writes events to the log, to try things out and to see that the relay runs. */
export const logSink = (log: { info(fields: object, message: string): void }): Sink => ({
  name: 'log',
  async deliver(events) {
    for (const event of events) log.info({ event }, event.type)
  },
})
