import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { ROOT } from '../imports.ts'

export interface Line {
  /** `docs/architecture.md:12`, which terminals make clickable. */
  readonly at: string
  readonly file: string
  readonly text: string
}

export const tracked: readonly string[] = execFileSync(
  'git',
  ['ls-files', '-co', '--exclude-standard'],
  { cwd: ROOT, encoding: 'utf8' },
)
  .split('\n')
  .filter(Boolean)

export const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8')

/** Documents for people. The references are generated from the code and left out. */
export const linesOf = (pattern: RegExp): readonly Line[] =>
  tracked
    .filter((file) => pattern.test(file))
    .flatMap((file) =>
      read(file)
        .split('\n')
        .map((text, at) => ({ at: `${file}:${at + 1}`, file, text })),
    )

export const DOCUMENTS = /^(?!docs\/reference\/|CHANGELOG).*\.md$/
export const DEPLOYMENT = /^deploy\//

/** Every match of the pattern's first group, with its line. */
export const namesIn = (lines: readonly Line[], pattern: RegExp): readonly Name[] =>
  lines.flatMap((line) =>
    [...line.text.matchAll(pattern)].map((match) => ({ ...line, name: match[1]! })),
  )

interface Name extends Line {
  readonly name: string
}

/** `file:line name` of each unknown name. */
export const unknownTo = (isKnown: (name: string) => boolean, names: readonly Name[]): string[] =>
  names.filter(({ name }) => !isKnown(name)).map(({ at, name }) => `${at} ${name}`)
