import { parseArgs } from 'node:util'
import { measureClassifier } from './classify.ts'
import { measureRanker } from './ranker.ts'
import { measureServing } from './serving.ts'

/** `npm run bench -- contextual [--texts FILE] [--data FOLDER]`: accuracy and cost. */
const { values } = parseArgs({
  options: { texts: { type: 'string' }, data: { type: 'string', default: '../shared/data' } },
})
const figures = {
  ...(await measureClassifier(values.texts)),
  ...(await measureServing()),
  ...measureRanker(values.data),
}
console.log(JSON.stringify(figures))
