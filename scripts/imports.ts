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
  /** Path from the root of the repository, or the name of a package. */
  readonly to: string
}

/** Every TypeScript file of the repository, including untracked ones. */
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

/** Imports of a file, with relative paths resolved, so that rules judge the imported file. */
export function importsOf({ file, text }: SourceFile): readonly Import[] {
  return [...text.matchAll(SPECIFIER)].map(([, specifier]) => ({
    from: file,
    to: specifier!.startsWith('.')
      ? path.posix.normalize(path.posix.join(path.posix.dirname(file), specifier!))
      : specifier!,
  }))
}
