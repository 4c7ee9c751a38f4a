/**
 * Recent spend divided by planned spend. The prior is 1, with the weight of as many requests as are
 * remembered.
 */
export class SpendFeedback {
  private readonly prior: number
  private readonly kept: number
  private spent = 0
  private meant = 0

  constructor({ memory, wanted }: { memory: number; wanted: number }) {
    this.prior = memory * wanted
    this.kept = 1 - 1 / memory
  }

  get ratio(): number {
    const ratio = (this.spent + this.prior) / (this.meant + this.prior)
    return Math.min(RATIO_MAX, Math.max(RATIO_MIN, ratio))
  }

  note(spent: number, meant: number): void {
    this.spent = this.kept * this.spent + spent
    this.meant = this.kept * this.meant + meant
  }
}

const RATIO_MIN = 0.5
const RATIO_MAX = 1.6
