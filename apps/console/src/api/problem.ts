import { PlacardProblem, type ProblemFault } from '@placard/client'

export const isMissing = (error: unknown) => error instanceof PlacardProblem && error.status === 404

/** The server refused for that reason. */
export const isProblem = (error: unknown, code: string) =>
  error instanceof PlacardProblem && error.code === code

const NO_ANSWER = 'Check your connection and that the server is running, then try again.'

/** A failure in words for people: what is so, and what to do. */
export function sayProblem(error: unknown): { title: string; detail?: string } {
  if (!(error instanceof PlacardProblem)) {
    return {
      title: 'Something went wrong on this page',
      detail: 'Reload the page. If it happens again, tell your operator.',
    }
  }
  const { title, faults, status } = error
  if (faults.length > 0) return { title, detail: faults.map(sayFault).join(' ') }
  const detail = error.detail ?? (status === 0 ? NO_ANSWER : undefined)
  return { title, ...(detail && { detail }) }
}

const sayFault = ({ path, message }: ProblemFault) =>
  `${fieldOf(path) || 'The request'} ${message}.`

/** `body/name` and `body/value/from` name the form's own fields. */
const fieldOf = (path: string) => path.replace(/^(?:body|querystring|params)\/?/, '')

/** What is wrong with each field of a form. */
export function faultsOf(error: unknown): Readonly<Record<string, string>> {
  if (!(error instanceof PlacardProblem)) return {}
  return Object.fromEntries(error.faults.map(({ path, message }) => [fieldOf(path), message]))
}
