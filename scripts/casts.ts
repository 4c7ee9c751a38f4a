/** An assertion of a type; not `as const`, not a name in an import, not SQL's `as (select …`. */
const CAST =
  / as (?!const\b)(?=[A-Z{[]|readonly |unknown\b|string\b|number\b|keyof |typeof |never\b|bigint\b|boolean\b|any\b|\((?!$|select|insert|update|delete|with))/g

/** Comments, and lines that import or export under another name. */
const SILENT = /^\s*(\*|\/\/|\/\*)|^(import|export) [{*]|^\s+\w+ as \w+,$/

/** How many types are asserted in a source, where the compiler could have been told instead. */
export const countCasts = (text: string): number =>
  text
    .split('\n')
    .filter((line) => !SILENT.test(line))
    .reduce((sum, line) => sum + castsOf(line), 0)

const castsOf = (line: string) =>
  [...line.matchAll(CAST)].filter(({ index }) => !isInString(line.slice(0, index))).length

/** Quotes and backticks that are still open; an apostrophe in plain text is none of a source's concern. */
const isInString = (before: string) =>
  ["'", '"', '`'].some((quote) => before.split(quote).length % 2 === 0)
