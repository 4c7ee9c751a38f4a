import { expect, test } from 'vitest'
import { fixedClock } from '../../../testing/fixed.ts'
import { createOpenAiClassifier, type OpenAiOptions } from './openai-classifier.ts'
import { openContentTaxonomy } from './reference-data.ts'
import { aWebSite, type Answering } from '../../../testing/services/web-site.ts'

const taxonomy = openContentTaxonomy()
const page = { url: 'https://news.example/a', title: 'Soup', text: 'Lentils' }
const INSTEAD = [{ categoryId: '1', confidence: 0.1 }]

async function aModel(answer: Answering, options: Partial<OpenAiOptions> = {}) {
  const web = await aWebSite(answer)
  const clock = fixedClock()
  const classifier = createOpenAiClassifier(
    {
      clock,
      taxonomy,
      listWanted: async () => ['210', '483'],
      instead: { name: 'instead', classify: async () => INSTEAD },
      onError: () => {},
    },
    { url: web.origin, model: 'small', apiKey: 'key', callsPerMinute: 60, ...options },
  )
  return { web, clock, classifier }
}

const saying =
  (categories: unknown): Answering =>
  (_, response) =>
    response.end(
      JSON.stringify({ choices: [{ message: { content: JSON.stringify({ categories }) } }] }),
    )
const failing: Answering = (_, response) => response.writeHead(500).end()

test('category ids that were not offered are dropped', async () => {
  const { classifier } = await aModel(
    saying([
      { id: '653', confidence: 0.9 },
      { id: '210', confidence: 0.8 },
      { id: '483', confidence: 7 },
    ]),
  )

  expect(await classifier.classify(page)).toEqual([{ categoryId: '210', confidence: 0.8 }])
})

test('concurrent calls for one page share one request', async () => {
  const { classifier, web } = await aModel(saying([{ id: '210', confidence: 0.8 }]))
  await Promise.all([classifier.classify(page), classifier.classify(page)])

  expect(web.requests).toEqual(['POST /chat/completions'])
})

test('after five failures the model is not called for 30 seconds; the other classifier answers', async () => {
  const { classifier, web, clock } = await aModel(failing)
  for (let call = 0; call < 7; call++) expect(await classifier.classify(page)).toEqual(INSTEAD)
  expect(web.requests).toHaveLength(5)

  clock.advance(30_000)
  await classifier.classify(page)
  expect(web.requests).toHaveLength(6)
})

test('no more calls go out than allowed per minute', async () => {
  const { classifier, web } = await aModel(saying([]), { callsPerMinute: 2 })
  for (let call = 0; call < 4; call++) await classifier.classify(page)

  expect(web.requests).toHaveLength(2)
})

test('an answer that is not JSON is a failure, not a category', async () => {
  const { classifier } = await aModel((_, response) =>
    response.end(JSON.stringify({ choices: [{ message: { content: 'It is about soup.' } }] })),
  )

  expect(await classifier.classify(page)).toEqual(INSTEAD)
})
