export interface ProblemKind {
  readonly code: string
  readonly status: number
  readonly title: string
  /** What the caller can do about it, for the reference; what its code says already needs none. */
  readonly remedy?: string
}

/** Of everything that is deleted and restored: codes and words follow from its name. */
export function problemsOfDeletable(noun: string) {
  const code = noun.toUpperCase().replaceAll(' ', '_')
  return {
    notFound: { code: `${code}_NOT_FOUND`, status: 404, title: `There is no such ${noun}` },
    alreadyDeleted: {
      code: `${code}_ALREADY_DELETED`,
      status: 400,
      title: `The ${noun} is already deleted`,
    },
    notDeleted: { code: `${code}_NOT_DELETED`, status: 400, title: `The ${noun} is not deleted` },
  } satisfies Record<string, ProblemKind>
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
  retryAfterSeconds: number | undefined

  constructor(kind: ProblemKind, detail: string, faults: readonly Fault[] = []) {
    super(detail)
    this.kind = kind
    this.faults = faults
  }

  /** The same, with when another try may go better. */
  after(seconds: number): this {
    this.retryAfterSeconds = seconds
    return this
  }
}

/** A reason not to start, said in one sentence to the operator. */
export class StartRefused extends Error {}
