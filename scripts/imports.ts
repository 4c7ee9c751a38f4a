import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'

export const ROOT = path.join(import.meta.dirname, '..')

export interface SourceFile {
  /** Path from the root of the repository. */
  readonly file: string
  readonly text: string
}

export interface Import {
  readonly from: string
  /** Path from the root of the repository; a package keeps its name. */
  readonly to: string
}

/** Every TypeScript file of the repository, also those that git does not track yet. */
export function listSources(): readonly SourceFile[] {
  return execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.ts', '*.tsx'], {
    cwd: ROOT,
    encoding: 'utf8',
  })
    .split('\n')
    .filter((file) => file && existsSync(path.join(ROOT, file)))
    .map((file) => ({ file, text: readFileSync(path.join(ROOT, file), 'utf8') }))
}

const SPECIFIER = /(?:\bfrom|\bimport\(|\bimport|new URL\()\s*['"]([^'"\n]+)['"]/g

/** What a file imports, with relative paths resolved: `../../budgets/book.ts` is judged by where it leads. */
export function importsOf({ file, text }: SourceFile): readonly Import[] {
  return [...text.matchAll(SPECIFIER)].map(([, specifier]) => ({
    from: file,
    to: specifier!.startsWith('.')
      ? path.posix.normalize(path.posix.join(path.posix.dirname(file), specifier!))
      : specifier!,
  }))
}
