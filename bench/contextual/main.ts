import { parseArgs } from 'node:util'
import { measureClassifier } from './classify.ts'

/** `npm run bench -- contextual [--texts FILE]`: how well pages are understood, and what it costs. */
const { values } = parseArgs({ options: { texts: { type: 'string' } } })
const figures = { ...(await measureClassifier(values.texts)) }
console.log(JSON.stringify(figures))
