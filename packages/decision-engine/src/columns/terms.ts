export type TermKind = 'country' | 'segment' | 'language' | 'host' | 'domain' | 'category'

/**
 * Numbers for the words of rules and requests, unique across kinds. A rule is a list of numbers, and a
 * request marks the numbers it has. Term 0 stands for "any request".
 */
export class Terms {
  private readonly country = new Map<string, number>()
  private readonly segment = new Map<string, number>()
  private readonly language = new Map<string, number>()
  private readonly host = new Map<string, number>()
  private readonly domain = new Map<string, number>()
  private readonly category = new Map<string, number>()
  private next = 1
  /** A term belongs to the current request if its mark is the request's number. */
  marks = new Uint32Array(256)
  private request = 0
  readonly marked: number[] = []

  intern(kind: TermKind, word: string): number {
    const words = this[kind]
    const known = words.get(word)
    if (known !== undefined) return known

    const term = this.next++
    words.set(word, term)
    if (term >= this.marks.length) {
      const larger = new Uint32Array(this.marks.length * 2)
      larger.set(this.marks)
      this.marks = larger
    }
    return term
  }

  beginRequest(): number {
    this.marked.length = 0
    if (this.request === 0xffffffff) {
      this.marks.fill(0)
      this.request = 0
    }
    return ++this.request
  }

  /** Ignores words that no rule uses. */
  mark(kind: TermKind, word: string): void {
    const term = this[kind].get(word)
    if (term === undefined || this.marks[term] === this.request) return
    this.marks[term] = this.request
    this.marked.push(term)
  }
}
