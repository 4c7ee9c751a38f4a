import type { ZxcvbnFactory } from '@zxcvbn-ts/core'

/** Only the first 64 characters are judged: each more costs time, and 64 suffice. */
const CHARACTERS_MAX = 64

let ready: Promise<ZxcvbnFactory> | undefined

/** Guesses needed with lists of common passwords, as a power of ten. */
export async function guessesLog10(text: string, about: readonly string[] = []): Promise<number> {
  ready ??= load()
  const judge = await ready
  return judge.check(text.slice(0, CHARACTERS_MAX), partsOf(about)).guessesLog10
}

/** Loaded on first use: the lists take about 80 ms and 10 MB. */
async function load(): Promise<ZxcvbnFactory> {
  const [{ ZxcvbnFactory }, { adjacencyGraphs, dictionary }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ])
  return new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs })
}

const partsOf = (about: readonly string[]) =>
  about.flatMap((one) => [one, ...one.split(/[^\p{L}\p{N}]+/u)]).filter((one) => one.length > 2)
