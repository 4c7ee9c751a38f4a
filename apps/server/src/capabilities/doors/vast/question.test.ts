import { expect, test } from 'vitest'
import { childrenOf, named, parseXml } from '../shared/testing-xml.ts'
import { questionOf } from './question.ts'
import { readCases } from './testing-cases.ts'
import { vmapDocument } from './vmap.ts'

type Query = Readonly<Record<string, string>>

interface QuestionCase {
  readonly name: string
  readonly query: Query
  readonly question: object
  readonly absent?: readonly string[]
}

test.each(readCases<QuestionCase>('questions'))(
  'what a player says: $name',
  ({ query, question, absent = [] }) => {
    const found = questionOf(query)

    expect(found).toMatchObject(question)
    expect(found).toMatchObject(Object.fromEntries(absent.map((name) => [name, undefined])))
  },
)

interface BreaksCase {
  readonly name: string
  readonly query: Query
  readonly breaks: readonly string[]
  readonly tag: string
  readonly type: string
}

test.each(readCases<BreaksCase>('breaks'))(
  'the breaks of a film: $name',
  ({ query, breaks, tag, type }) => {
    const root = parseXml(vmapDocument('https://ads.example/vast/film', query))

    expect(root.nodeName).toBe('vmap:VMAP')
    expect(childrenOf(root).map((found) => found.getAttribute('timeOffset'))).toEqual(breaks)
    const tags = named(root, 'vmap:AdTagURI')
    expect(tags.map(({ textContent }) => textContent)).toEqual(breaks.map(() => tag))
    expect(tags.map((found) => found.getAttribute('templateType'))).toEqual(breaks.map(() => type))
  },
)
