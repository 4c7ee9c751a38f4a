/** What p99 must stay under for the machine to be calm: it can show nothing below what it adds itself. */
export const CALM_MS = 5
const CALM_ROUNDS = 3

interface Taking<Round> {
  readonly least: number
  readonly most: number
  /** Whether the machine was calm, told by something other than what is measured. */
  isCalm(round: Round): boolean
  take(): Promise<Round>
}

/**
 * These machines are shared: rounds go on until the machine was calm in enough of them, or it is clear
 * that it will not be. The calm ones count; all, where too few were calm.
 */
export async function untilCalm<Round>({ least, most, isCalm, take }: Taking<Round>) {
  const rounds: Round[] = []
  const calm: Round[] = []
  while (rounds.length < least || (calm.length < CALM_ROUNDS && rounds.length < most)) {
    const round = await take()
    rounds.push(round)
    if (isCalm(round)) calm.push(round)
  }
  return { rounds, calm: calm.length, counted: calm.length < CALM_ROUNDS ? rounds : calm }
}
