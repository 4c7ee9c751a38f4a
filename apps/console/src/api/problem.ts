import { PlacardProblem, type ProblemFault } from '@placard/client'
import { fieldLabel, inLabels } from '../ui/format/words.ts'

export const isMissing = (error: unknown) => error instanceof PlacardProblem && error.status === 404

/** True if the server refused with this code. */
export const isProblem = (error: unknown, code: string) =>
  error instanceof PlacardProblem && error.code === code

const NO_ANSWER = 'Check your connection and that the server is running, then try again.'

/** An error in words for people: what happened, and what to do. */
export function sayProblem(error: unknown): { title: string; detail?: string } {
  if (!(error instanceof PlacardProblem)) {
    return {
      title: 'Something went wrong on this page',
      detail: 'Reload the page. If it happens again, tell your operator.',
    }
  }
  const { title, faults, status } = error
  if (faults.length > 0) return { title, detail: faults.map(sayFault).join(' ') }
  const detail = error.detail ? inLabels(error.detail) : status === 0 ? NO_ANSWER : undefined
  return { title, ...(detail && { detail }) }
}

const sayFault = ({ path, message }: ProblemFault) =>
  `${sayPath(fieldOf(path))} ${inLabels(message)}.`

/** `rows/0/name` → `Rows 1 Name`. */
const sayPath = (path: string) =>
  path === ''
    ? 'The request'
    : path
        .split('/')
        .map((part) => (/^\d+$/.test(part) ? String(Number(part) + 1) : fieldLabel(part)))
        .join(' ')

/** `body/value/from` → `value/from`, as forms name their fields. */
const fieldOf = (path: string) => path.replace(/^(?:body|querystring|params)\/?/, '')

/** The fault of each field of a form. */
export function faultsOf(error: unknown): Readonly<Record<string, string>> {
  if (!(error instanceof PlacardProblem)) return {}
  return Object.fromEntries(
    error.faults.map(({ path, message }) => [fieldOf(path), inLabels(message)]),
  )
}
