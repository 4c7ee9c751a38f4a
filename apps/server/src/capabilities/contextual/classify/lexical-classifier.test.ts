import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { openContentTaxonomy, openLexicalClassifier } from './reference-data.ts'

const taxonomy = openContentTaxonomy()
const classifier = openLexicalClassifier(taxonomy)
const page = (text: string, title = '') => ({ url: 'https://news.example/', title, text })
const nameOf = (id: string) => taxonomy.categories.get(id)!.name

test('a recipe is about cooking, surest category first, three at most', async () => {
  const found = await classifier.classify(
    page('Fry the onions in butter, simmer the lentils in stock and season with cumin.'),
  )

  expect(nameOf(found[0]!.categoryId)).toBe('Cooking')
  expect(taxonomy.rootOf(found[0]!.categoryId)).toBe('210')
  expect(found.length).toBeLessThanOrEqual(3)
  const confidences = found.map(({ confidence }) => confidence)
  expect(confidences).toEqual(confidences.toSorted((a, b) => b - a))
  expect(confidences.every((confidence) => confidence > 0 && confidence <= 1)).toBe(true)
})

test('a text without a known word gets no category', async () => {
  expect(await classifier.classify(page('Xyzzy plugh, 42.'))).toEqual([])
  expect(await classifier.classify(page(''))).toEqual([])
})

test('a page about nothing gets no topic: a cookie notice, a sign-in form, an empty archive', async () => {
  const texts = readFileSync(
    path.join(import.meta.dirname, '../../../../../../bench/contextual/texts/none.txt'),
    'utf8',
  )
    .split('\n')
    .filter(Boolean)
  const judged = await Promise.all(texts.map((text) => classifier.classify(page(text))))

  expect(texts).toHaveLength(20)
  expect(judged.filter((found) => found.length === 0).length).toBeGreaterThanOrEqual(17)
})

test('more evidence makes the classifier surer', async () => {
  const [little] = await classifier.classify(
    page('The striker scored, the goalkeeper saved a penalty.'),
  )
  const [much] = await classifier.classify(
    page('The striker scored, the goalkeeper saved a penalty, the referee showed a red card.'),
  )

  expect(much!.confidence).toBeGreaterThan(little!.confidence)
})

test('the classifier reads only the first 8,000 characters', async () => {
  const found = await classifier.classify(
    page(`${'word '.repeat(1_700)} goalkeeper striker penalty`),
  )

  expect(found).toEqual([])
})

const TEXTS = ['../../../../../../bench/contextual/texts/test.txt', 'lexicon/examples.txt']

test.each(TEXTS)('no labelled text in %s contains the name of its category', (file) => {
  let words: string[] = []
  const telling: string[] = []
  for (const line of readFileSync(path.join(import.meta.dirname, file), 'utf8').split('\n')) {
    if (line.startsWith('# ')) words = namesIn(line)
    else if (wordsOf(line).some((word) => words.includes(word))) telling.push(line)
  }
  expect(telling).toEqual([])
})

const wordsOf = (text: string) => text.toLowerCase().match(/[a-z]+/g) ?? []
const namesIn = (heading: string) =>
  wordsOf(heading).flatMap((word) =>
    word.length > 2 && word !== 'and' ? [word, word.replace(/s$/, ''), `${word}s`] : [],
  )
