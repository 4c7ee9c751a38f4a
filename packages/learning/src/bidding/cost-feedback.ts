import type { WindowReport } from './policy.ts'

/** Share of the distance, in ln, that one window moves the limit. */
const GAIN = 0.3
/** Windows fade to 1/e after so many. */
const MEMORY = 12
/** With so many wins of late, their mean cost is half believed. */
const WINS_HALF = 8
/** Without a win the limit comes back: a limit below every price would never learn that it is. */
const RETURN = 0.85
/** The limit stays within a factor of three. */
const REACH = Math.log(3)

/**
 * Today's mean cost of a unit of value against what it may be. History says where the limit begins;
 * where others bid otherwise today, this moves it until the mean is right.
 */
export class CostFeedback {
  private readonly costMax: number
  private spend = 0
  private value = 0
  private wins = 0
  private ln = 0

  constructor(costMax: number) {
    this.costMax = costMax
  }

  get factor(): number {
    return Math.exp(this.ln)
  }

  /** A window without value says nothing of costs: nothing was won, or another policy acted in it. */
  note({ spend, value, wins }: WindowReport): void {
    const kept = Math.exp(-1 / MEMORY)
    this.spend = kept * this.spend + (value > 0 ? spend : 0)
    this.value = kept * this.value + value
    this.wins = kept * this.wins + (value > 0 ? wins : 0)
    if (value <= 0 || this.spend <= 0) {
      this.ln *= RETURN
      return
    }
    const belief = this.wins / (this.wins + WINS_HALF)
    const far = Math.log((this.costMax * this.value) / this.spend)
    this.ln = Math.min(REACH, Math.max(-REACH, this.ln + GAIN * belief * far))
  }
}
