export interface ProblemKind {
  readonly code: string
  readonly status: number
  readonly title: string
  /** What the caller can do, for the reference; omitted where the code says it. */
  readonly remedy?: string
}

/** Problems of a row that can be deleted and restored; codes and words follow from its name. */
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

/** One fault of a request: where, and what. */
export interface Fault {
  readonly path: string
  readonly message: string
}

/** A failure that the caller can understand and act on. Any other error is a bug. */
export class Problem extends Error {
  readonly kind: ProblemKind
  readonly faults: readonly Fault[]
  retryAfterSeconds: number | undefined

  constructor(kind: ProblemKind, detail: string, faults: readonly Fault[] = []) {
    super(detail)
    this.kind = kind
    this.faults = faults
  }

  /** Adds when to try again. */
  after(seconds: number): this {
    this.retryAfterSeconds = seconds
    return this
  }
}

/** Why the program does not start: one sentence for the operator. */
export class StartRefused extends Error {}
