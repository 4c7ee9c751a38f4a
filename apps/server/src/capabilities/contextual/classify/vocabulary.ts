import type { Taxonomy } from './taxonomy.ts'
import type { Word, Words } from './words.ts'

/** The categories that a word or phrase is evidence for. */
export interface Entry {
  /** Weight per tier-1 category, in the order of the vocabulary's roots. */
  readonly weights: Float64Array
  /** Deeper categories it names. */
  readonly deeper: readonly string[]
}

export interface PhraseNode {
  readonly next: Map<string, PhraseNode>
  entry: Entry | undefined
}

export interface Vocabulary {
  readonly roots: readonly string[]
  readonly byWord: ReadonlyMap<string, Entry>
  /** Fallback for words of the same stem, if the word itself is not listed. */
  readonly byStem: ReadonlyMap<string, Entry>
  /** Phrases of two words or more, by their stems. */
  readonly phrases: PhraseNode
}

export interface VocabularyTexts {
  /** `# tier 1`, `## a deeper category of it`, then words and phrases separated by commas. */
  readonly lists: readonly string[]
  /** `# tier 1`, then one text per line. */
  readonly examples: string
  /** Words with many meanings. */
  readonly weakWords: string
}

interface Counted {
  readonly counts: Float64Array
  readonly deeper: Set<string>
}

interface Counting {
  readonly taxonomy: Taxonomy
  readonly words: Words
  readonly rootIndex: ReadonlyMap<string, number>
  readonly weak: ReadonlySet<string>
  readonly byWord: Map<string, Counted>
  readonly byStem: Map<string, Counted>
  readonly byPhrase: Map<string, Counted>
}

const LISTED_COUNT = 4
const NAME_COUNT = 3
const PHRASE_COUNT = 5.5
/** For a word with many meanings, or one only related to a listed word. */
const WEAK_COUNT = 1.2
const STEM_SHARE = 0.5
const EXAMPLE_COUNT = 0.25
const SMOOTHING = 0.5

export function compileVocabulary(
  given: { readonly taxonomy: Taxonomy; readonly words: Words },
  texts: VocabularyTexts,
): Vocabulary {
  const { taxonomy, words } = given
  const roots = [...taxonomy.categories.values()].filter(({ id }) => taxonomy.rootOf(id) === id)
  const counting: Counting = {
    ...given,
    rootIndex: new Map(roots.map(({ id }, at) => [id, at])),
    weak: new Set(words.of(texts.weakWords).map(({ plain }) => plain)),
    byWord: new Map(),
    byStem: new Map(),
    byPhrase: new Map(),
  }
  countNames(counting)
  for (const list of texts.lists) countList(counting, list)
  countExamples(counting, texts.examples)
  return {
    roots: roots.map(({ id }) => id),
    byWord: entriesOf(counting.byWord),
    byStem: entriesOf(counting.byStem),
    phrases: buildTree(entriesOf(counting.byPhrase)),
  }
}

/** Adds the taxonomy's own names, split at conjunctions: "Surfing and Bodyboarding" gives two. */
function countNames(counting: Counting): void {
  for (const { id, name } of counting.taxonomy.categories.values()) {
    for (const part of name.split(/\s+(?:and|or)\s+|[&/,()]/)) {
      addPhrase(counting, part, { id, count: NAME_COUNT })
    }
  }
}

function countList(counting: Counting, list: string): void {
  let id = ''
  let root = ''
  for (const line of list.split('\n')) {
    if (line.startsWith('# ')) id = root = findNamed(counting.taxonomy, line.slice(2))
    else if (line.startsWith('## ')) id = findNamed(counting.taxonomy, line.slice(3), root)
    else {
      for (const phrase of line.split(',')) addPhrase(counting, phrase, { id, count: LISTED_COUNT })
    }
  }
}

/** Each example adds each of its words once. */
function countExamples(counting: Counting, examples: string): void {
  let id = ''
  for (const line of examples.split('\n')) {
    if (line.startsWith('# ')) id = findNamed(counting.taxonomy, line.slice(2))
    else for (const word of new Set(counting.words.of(line))) addExample(counting, word, id)
  }
}

function addExample(counting: Counting, { plain, isCommon }: Word, id: string): void {
  if (isCommon) return
  countedIn(counting, 'byWord', plain).counts[counting.rootIndex.get(id)!]! += EXAMPLE_COUNT
}

interface Mention {
  readonly id: string
  readonly count: number
}

function addPhrase(counting: Counting, phrase: string, mention: Mention): void {
  const words = counting.words.of(phrase)
  const [word] = words
  if (word === undefined) return
  if (words.length > 1) {
    const key = words.map(({ stem }) => stem).join(' ')
    note(counting, countedIn(counting, 'byPhrase', key), { ...mention, count: PHRASE_COUNT })
  } else if (!word.isCommon) {
    const count = counting.weak.has(word.plain) ? WEAK_COUNT : mention.count
    note(counting, countedIn(counting, 'byWord', word.plain), { ...mention, count })
    const related = { ...mention, count: count * STEM_SHARE }
    note(counting, countedIn(counting, 'byStem', word.stem), related)
  }
}

function note({ taxonomy, rootIndex }: Counting, counted: Counted, { id, count }: Mention): void {
  const root = taxonomy.rootOf(id)
  const at = rootIndex.get(root)!
  counted.counts[at] = Math.max(counted.counts[at]!, count)
  if (root !== id) counted.deeper.add(id)
}

function countedIn(
  counting: Counting,
  place: 'byWord' | 'byStem' | 'byPhrase',
  key: string,
): Counted {
  const known = counting[place].get(key)
  if (known) return known
  const fresh = { counts: new Float64Array(counting.rootIndex.size), deeper: new Set<string>() }
  counting[place].set(key, fresh)
  return fresh
}

function findNamed(taxonomy: Taxonomy, name: string, root?: string): string {
  for (const category of taxonomy.categories.values()) {
    if (category.name !== name) continue
    if (root === undefined ? !category.parentId : taxonomy.rootOf(category.id) === root) {
      return category.id
    }
  }
  throw new Error(`There is no category "${name}"${root ? ` under ${root}` : ''}`)
}

const entriesOf = (counted: ReadonlyMap<string, Counted>): ReadonlyMap<string, Entry> =>
  new Map(
    [...counted].map(([key, { counts, deeper }]) => [
      key,
      { weights: weightsOf(counts), deeper: [...deeper] },
    ]),
  )

/**
 * How much more often the word occurs here than elsewhere: a word of every category says nothing.
 */
function weightsOf(counts: Float64Array): Float64Array {
  const mean = counts.reduce((sum, count) => sum + count, 0) / counts.length
  return counts.map((count) => Math.log((count + SMOOTHING) / (mean + SMOOTHING)))
}

function buildTree(entries: ReadonlyMap<string, Entry>): PhraseNode {
  const tree = newNode()
  for (const [phrase, entry] of entries) {
    let node = tree
    for (const stem of phrase.split(' ')) {
      const next = node.next.get(stem) ?? newNode()
      node.next.set(stem, next)
      node = next
    }
    node.entry = entry
  }
  return tree
}

const newNode = (): PhraseNode => ({ next: new Map(), entry: undefined })
