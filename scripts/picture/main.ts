import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { ROOT } from '../imports.ts'
import { draw } from './draw.ts'
import { readImportGraph } from './groups.ts'

/** `npm run picture`: draws the current imports. */
const FILE = 'docs/imports.svg'
const graph = readImportGraph()
writeFileSync(path.join(ROOT, FILE), draw(graph))
console.log(`${FILE}: ${graph.boxes.length} boxes, ${graph.arrows.length} arrows`)
