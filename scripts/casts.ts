/** A type assertion, but not `as const`, a name in an import, or SQL's `as (select …`. */
const CAST =
  / as (?!const\b)(?=[A-Z{[]|readonly |unknown\b|string\b|number\b|keyof |typeof |never\b|bigint\b|boolean\b|any\b|\((?!$|select|insert|update|delete|with))/g

/** Comments, and lines that rename an import or export. */
const SILENT = /^\s*(\*|\/\/|\/\*)|^(import|export) [{*]|^\s+\w+ as \w+,$/

/** Number of type assertions in a source. */
export const countCasts = (text: string): number =>
  text
    .split('\n')
    .filter((line) => !SILENT.test(line))
    .reduce((sum, line) => sum + castsOf(line), 0)

const castsOf = (line: string) =>
  [...line.matchAll(CAST)].filter(({ index }) => !isInString(line.slice(0, index))).length

/** Open quotes and backticks. */
const isInString = (before: string) =>
  ["'", '"', '`'].some((quote) => before.split(quote).length % 2 === 0)
