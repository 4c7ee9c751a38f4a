import { readFileSync } from 'node:fs'
import path from 'node:path'
import {
  openContentTaxonomy,
  openLexicalClassifier,
} from '../../apps/server/src/capabilities/contextual/classify/reference-data.ts'
import { type LabelledText, readTexts } from './texts.ts'

const TEST_HALF = path.join(import.meta.dirname, 'texts/test.txt')
const PAGE_CHARACTERS = 8_000
const WARM_PAGES = 200
const MEASURED_PAGES = 1_000

/** Accuracy of the in-process classifier, and its time for a long page. */
export async function measureClassifier(file = TEST_HALF) {
  const taxonomy = openContentTaxonomy()
  const classifier = openLexicalClassifier(taxonomy)
  const texts = readTexts(taxonomy, readFileSync(file, 'utf8'))
  let first = 0
  let amongThree = 0
  for (const { text, categoryId } of texts) {
    const found = await classifier.classify({ url: '', title: '', text })
    const roots = found.map((one) => taxonomy.rootOf(one.categoryId))
    if (roots[0] === categoryId) first++
    if (roots.includes(categoryId)) amongThree++
  }

  const pages = longPages(texts)
  const classify = async (count: number) => {
    for (let at = 0; at < count; at++) {
      await classifier.classify({ url: '', title: '', text: pages[at % pages.length]! })
    }
  }
  await classify(WARM_PAGES)
  const before = process.cpuUsage()
  await classify(MEASURED_PAGES)
  const { user, system } = process.cpuUsage(before)
  const classifyMs = (user + system) / 1_000 / MEASURED_PAGES
  return {
    texts: texts.length,
    tier1Top1: share(first, texts.length),
    tier1Top3: share(amongThree, texts.length),
    classifyMs: Number(classifyMs.toFixed(3)),
    pagesPerSecond: Math.round(1_000 / classifyMs),
  }
}

const share = (part: number, whole: number) => Number((part / whole).toFixed(4))

/** Different pages of the full length. */
function longPages(texts: readonly LabelledText[]): readonly string[] {
  const whole = texts.map(({ text }) => text)
  return Array.from({ length: 50 }, (_, from) => {
    let page = ''
    for (let at = from; page.length < PAGE_CHARACTERS; at++) page += `${whole[at % whole.length]!} `
    return page.slice(0, PAGE_CHARACTERS)
  })
}
