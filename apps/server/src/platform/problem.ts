export interface ProblemKind {
  readonly code: string
  readonly status: number
  readonly title: string
  /** What the caller can do about it, for the reference; what its code says already needs none. */
  readonly remedy?: string
}

/** One thing that is wrong with a request: where, and what about it. */
export interface Fault {
  readonly path: string
  readonly message: string
}

/** A failure the caller can understand and act on. Anything else that is thrown is a bug. */
export class Problem extends Error {
  readonly kind: ProblemKind
  readonly faults: readonly Fault[]

  constructor(kind: ProblemKind, detail: string, faults: readonly Fault[] = []) {
    super(detail)
    this.kind = kind
    this.faults = faults
  }
}

/** A reason not to start, said in one sentence to the operator. */
export class StartRefused extends Error {}
