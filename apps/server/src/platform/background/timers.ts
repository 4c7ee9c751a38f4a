/** Where waiting comes from. Passed in, so that tests let time pass by hand. */
export interface Timers {
  /** Calls once, later; the returned function calls it off. */
  after(ms: number, call: () => void): () => void
}

export const systemTimers: Timers = {
  after(ms, call) {
    const timer = setTimeout(call, ms)
    return () => clearTimeout(timer)
  },
}
