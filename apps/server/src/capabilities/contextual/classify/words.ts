import { stemmer } from 'stemmer'

/** A word in lower case and in the singular, with its stem. */
export interface Word {
  readonly plain: string
  readonly stem: string
  /** Too common to be evidence: `the`, `second`, a number. */
  readonly isCommon: boolean
}

const WORD = /[\p{L}\p{N}]+/gu
const WORDS_KEPT_MAX = 50_000

/** Splits texts into words, with a cache. */
export class Words {
  private readonly known = new Map<string, Word>()
  private readonly common: ReadonlySet<string>

  constructor(commonWords: string) {
    this.common = new Set(commonWords.match(WORD))
  }

  of(text: string): Word[] {
    const found =
      text
        .toLowerCase()
        .replaceAll(/['’]s\b/g, '')
        .match(WORD) ?? []
    return found.map((word) => this.wordOf(word))
  }

  private wordOf(text: string): Word {
    const known = this.known.get(text)
    if (known !== undefined) return known
    const isCommon = text.length < 2 || this.common.has(text) || /^\d+$/.test(text)
    const word = { plain: singular(text), stem: stemmer(text), isCommon }
    if (this.known.size >= WORDS_KEPT_MAX) this.known.clear()
    this.known.set(text, word)
    return word
  }
}

function singular(word: string): string {
  if (word.length < 4 || !word.endsWith('s') || /(ss|us|is)$/.test(word)) return word
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`
  return /(sh|ch|x|z|ss)es$/.test(word) ? word.slice(0, -2) : word.slice(0, -1)
}
