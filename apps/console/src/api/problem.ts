import type { ProblemDocument } from '@placard/contract/shared'
import type { Static } from 'typebox'

export type Problem = Static<typeof ProblemDocument>

/** What the server said no with, or that it did not say anything. */
export class ApiProblem extends Error {
  readonly status: number
  readonly code: string
  readonly detail: string | undefined
  readonly faults: readonly { readonly path: string; readonly message: string }[]

  constructor(problem: Pick<Problem, 'status' | 'code' | 'title'> & Partial<Problem>) {
    super(problem.title)
    this.status = problem.status
    this.code = problem.code
    this.detail = problem.detail
    this.faults = problem.faults ?? []
  }
}

export const noAnswer = () =>
  new ApiProblem({
    status: 0,
    code: 'NO_ANSWER',
    title: 'Placard does not answer',
    detail: 'Check that it runs and that you are connected, then try again.',
  })

export async function problemOf(response: Response): Promise<ApiProblem> {
  const body = (await response.json().catch(() => undefined)) as Problem | undefined
  return new ApiProblem(
    body?.code
      ? body
      : {
          status: response.status,
          code: 'UNKNOWN',
          title: `The server answered ${response.status}`,
        },
  )
}

export const isMissing = (error: unknown) => error instanceof ApiProblem && error.status === 404

/** A failure in words for people: what is so, and what to do. */
export function sayProblem(error: unknown): { title: string; detail?: string } {
  if (!(error instanceof ApiProblem)) {
    return {
      title: 'Something failed in this page',
      detail: 'Reload it; if it happens again, tell your operator.',
    }
  }
  if (error.faults.length > 0) {
    return { title: error.message, detail: error.faults.map(sayFault).join(' ') }
  }
  return { title: error.message, ...(error.detail && { detail: error.detail }) }
}

const sayFault = ({ path, message }: { path: string; message: string }) =>
  `${fieldOf(path) || 'The request'} ${message}.`

/** `body/name` and `body/value/from` name the form's own fields. */
export const fieldOf = (path: string) => path.replace(/^(?:body|querystring|params)\/?/, '')

/** What is wrong with each field of a form. */
export function faultsOf(error: unknown): Readonly<Record<string, string>> {
  if (!(error instanceof ApiProblem)) return {}
  return Object.fromEntries(error.faults.map(({ path, message }) => [fieldOf(path), message]))
}
