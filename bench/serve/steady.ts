export interface Witnessed<Figure> {
  readonly figure: Figure
  /** The p99 of the bare server, in ms. */
  readonly before: number
  readonly after: number
}

interface Series<Figure> {
  /** The p99 of the bare server at 70 % of what it has just been able to do. */
  witness(): Promise<number>
  measure(): Promise<Figure>
  /** So many on a steady machine are enough. */
  readonly wanted: number
  readonly most: number
}

/** Where the bare server takes longer, no server can hold 5 ms: the machine has given the core to others. */
const STEADY_MS = 2
/** With fewer the machine was never steady, and all count. */
const STEADY_LEAST = 3

/**
 * Measures again and again, with the bare server before and after each time. On a shared machine 70 % of
 * what it gave two seconds ago may be more than it gives now, and then any server is late: what counts is what
 * was measured between two moments at which the bare one was not. What our server did has no say in that.
 */
export async function measureSteady<Figure>({ witness, measure, wanted, most }: Series<Figure>) {
  const all: Witnessed<Figure>[] = []
  let before = await witness()
  while (all.length < most && all.filter(isSteady).length < wanted) {
    const figure = await measure()
    const after = await witness()
    all.push({ figure, before, after })
    before = after
  }
  const steady = all.filter(isSteady)
  return { all, steady: steady.length, counted: steady.length < STEADY_LEAST ? all : steady }
}

const isSteady = ({ before, after }: Witnessed<unknown>) => Math.max(before, after) <= STEADY_MS
