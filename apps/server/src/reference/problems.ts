import { glob } from 'node:fs/promises'
import path from 'node:path'
import type { ProblemKind } from '../platform/problem.ts'

const ROOT = path.join(import.meta.dirname, '..')

/** Every failure a caller may see: the exports of all files named `problems.ts`. */
export async function listProblems(): Promise<readonly ProblemKind[]> {
  const problems = new Map<string, ProblemKind>()
  for await (const file of glob('**/problems.ts', { cwd: ROOT })) {
    const module = (await import(path.join(ROOT, file))) as Kinds
    for (const kinds of Object.values(module)) {
      for (const kind of Object.values(kinds)) problems.set(kind.code, kind)
    }
  }
  return [...problems.values()].toSorted((a, b) => (a.code < b.code ? -1 : 1))
}

type Kinds = Readonly<Record<string, Readonly<Record<string, ProblemKind>>>>

/** Remedies by the ending of a code. */
const BY_ENDING: readonly (readonly [ending: string, remedy: string])[] = [
  ['_NOT_FOUND', 'Check the id. The row does not exist, or you may not see it.'],
  ['_ALREADY_DELETED', 'Restore it if you need it again.'],
  ['_NOT_DELETED', 'Nothing to do. The row exists.'],
  ['_EXISTS', 'Choose another value, or use the existing row.'],
]

export const remedyOf = ({ code, remedy }: ProblemKind): string | undefined =>
  remedy ?? BY_ENDING.find(([ending]) => code.endsWith(ending))?.[1]

export async function problemsReference(): Promise<string> {
  const rows = (await listProblems()).map(
    (kind) => `| \`${kind.code}\` | ${kind.status} | ${kind.title} | ${remedyOf(kind) ?? ''} |`,
  )
  return [
    '# Problems',
    '',
    'Every error is `application/problem+json` (RFC 9457). `code` is stable, for programs. `detail` says more to',
    'people, `faults` names each fault of a bad request, and `instance` is the id of the request in the log. Made from the',
    '`problems.ts` of each capability by `npm run generate`.',
    '',
    '| code | status | meaning | remedy |',
    '| --- | --- | --- | --- |',
    ...rows,
    '',
  ].join('\n')
}
