import { parseAst } from 'rolldown/parseAst'

/** One small change of a source file that a good test suite must notice. */
export interface Mutation {
  readonly start: number
  readonly end: number
  readonly original: string
  readonly replacement: string
  readonly line: number
  /** The line with the change in it, without indentation. */
  readonly changedLine: string
}

const SWAPS: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '&&': '||',
  '||': '&&',
  '+=': '-=',
  '-=': '+=',
}

const CALLS: Readonly<Record<string, string>> = {
  'Math.ceil': 'Math.floor',
  'Math.floor': 'Math.ceil',
  'Math.min': 'Math.max',
  'Math.max': 'Math.min',
}

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [key: string]: unknown
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as { type?: unknown }).type === 'string'

/** All mutations of a TypeScript source, in the order of the text. */
export function mutationsOf(code: string, file: string): readonly Mutation[] {
  const found: Mutation[] = []
  const add = (start: number, end: number, replacement: string) =>
    found.push({
      start,
      end,
      original: code.slice(start, end),
      replacement,
      line: code.slice(0, start).split('\n').length,
      changedLine: changedLine(code, { start, end, replacement }),
    })
  visit(parseAst(code, { lang: 'ts' }, file), (node) => {
    if ('operator' in node && isNode(node['left']) && isNode(node['right'])) {
      swapOperator(code, node, add)
    }
    if (node.type === 'CallExpression' && isNode(node['callee'])) {
      const { start, end } = node['callee']
      const other = CALLS[code.slice(start, end)]
      if (other !== undefined) add(start, end, other)
    }
    if (node.type === 'Literal' && typeof node['value'] === 'boolean') {
      add(node.start, node.end, String(!node['value']))
    }
    if (node.type === 'IfStatement' && isNode(node['test'])) {
      const { start, end } = node['test']
      add(start, end, `!(${code.slice(start, end)})`)
    }
  })
  return found
}

type Change = Pick<Mutation, 'start' | 'end' | 'replacement'>

function changedLine(code: string, { start, end, replacement }: Change): string {
  const from = code.lastIndexOf('\n', start) + 1
  const to = code.indexOf('\n', end)
  const text = code.slice(from, start) + replacement + code.slice(end, to < 0 ? undefined : to)
  return text.replaceAll(/\s+/g, ' ').trim()
}

type Add = (start: number, end: number, replacement: string) => void

function swapOperator(code: string, node: Node, add: Add): void {
  const operator = String(node['operator'])
  const other = SWAPS[operator]
  if (other === undefined) return
  const from = (node['left'] as Node).end
  const at = code.indexOf(operator, from)
  if (at >= 0 && at < (node['right'] as Node).start) add(at, at + operator.length, other)
}

/** Types have no effect at run time, so they are not changed. */
const SKIPPED = /^TS(?!AsExpression|NonNull|Satisfies)/

function visit(value: unknown, look: (node: Node) => void): void {
  if (Array.isArray(value)) for (const one of value) visit(one, look)
  if (!isNode(value) || SKIPPED.test(value.type)) return
  look(value)
  for (const [key, child] of Object.entries(value)) {
    if (key !== 'type' && typeof child === 'object') visit(child, look)
  }
}
