export interface ProblemFault {
  readonly path: string
  readonly message: string
}

/** The server refused or did not answer. The code is stable; docs/reference/problems.md explains it. */
export class PlacardProblem extends Error {
  /** HTTP status. 0: no answer. */
  readonly status: number
  readonly code: string
  readonly title: string
  readonly detail: string | undefined
  readonly faults: readonly ProblemFault[]

  constructor(
    problem: Partial<ProblemDocument> & Pick<ProblemDocument, 'status'>,
    cause?: unknown,
  ) {
    const { title = `The server answered ${problem.status}`, detail } = problem
    super(detail === undefined ? title : `${title}: ${detail}`, { cause })
    this.name = 'PlacardProblem'
    this.status = problem.status
    this.code = problem.code ?? 'UNKNOWN'
    this.title = title
    this.detail = detail
    this.faults = problem.faults ?? []
  }
}

interface ProblemDocument {
  readonly status: number
  readonly code: string
  readonly title: string
  readonly detail?: string
  readonly faults?: readonly ProblemFault[]
}

export const noAnswer = (cause: unknown) =>
  new PlacardProblem({ status: 0, code: 'NO_ANSWER', title: 'Placard does not answer' }, cause)

export async function problemOf(response: Response): Promise<PlacardProblem> {
  const body: unknown = await response.json().catch(() => undefined)
  const document = typeof body === 'object' && body !== null ? (body as ProblemDocument) : {}
  return new PlacardProblem({ ...document, status: response.status })
}
