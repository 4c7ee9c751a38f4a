/** Timers are passed in, so that tests control the time. */
export interface Timers {
  /** Calls once, later. The returned function cancels it. */
  after(ms: number, call: () => void): () => void
}

export const systemTimers: Timers = {
  after(ms, call) {
    const timer = setTimeout(call, ms)
    return () => clearTimeout(timer)
  },
}
