import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Classifier } from './classifier.ts'
import { createLexicalClassifier } from './lexical-classifier.ts'
import {
  buildContentOfAdProduct,
  buildTaxonomy,
  readCategories,
  readRows,
  type Taxonomy,
} from './taxonomy.ts'
import { compileVocabulary } from './vocabulary.ts'
import { Words } from './words.ts'

const read = (file: string) => readFileSync(path.join(import.meta.dirname, file), 'utf8')

export const openContentTaxonomy = (): Taxonomy =>
  buildTaxonomy(readCategories(read('taxonomy/content-3.1.tsv')))

export const openAdProducts = () =>
  buildContentOfAdProduct({
    adProducts: read('taxonomy/ad-products-2.0.tsv'),
    contentIds: read('taxonomy/content-1.0-to-3.1.tsv'),
  })

/** Ad products, and the category of Content Taxonomy 1.0 that each is about. */
export const readAdProductContent = (): ReadonlyMap<string, string> =>
  new Map(
    readRows(read('taxonomy/ad-products-2.0.tsv')).flatMap(([id, , , old]) =>
      old ? [[id!, old] as const] : [],
    ),
  )

/** Ids of Content Taxonomy 1.0, and the nearest in 3.1. */
export const readOldContentIds = (): ReadonlyMap<string, string> =>
  new Map(readRows(read('taxonomy/content-1.0-to-3.1.tsv')).map(([old, id]) => [old!, id!]))

/** The classifier that needs only the data in the repository. */
export function openLexicalClassifier(taxonomy: Taxonomy): Classifier {
  const words = new Words(read('lexicon/common-words.txt'))
  const texts = {
    lists: readdirSync(path.join(import.meta.dirname, 'lexicon/words')).map((file) =>
      read(`lexicon/words/${file}`),
    ),
    examples: read('lexicon/examples.txt'),
    weakWords: read('lexicon/weak-words.txt'),
  }
  const vocabulary = compileVocabulary({ taxonomy, words }, texts)
  return createLexicalClassifier({ taxonomy, vocabulary, words })
}
