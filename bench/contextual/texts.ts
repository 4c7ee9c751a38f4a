import type { Taxonomy } from '../../apps/server/src/capabilities/contextual/classify/taxonomy.ts'

export interface LabelledText {
  readonly text: string
  /** Its tier-1 category. */
  readonly categoryId: string
}

type Row = Readonly<Record<string, string | number | null | undefined>>

/**
 * Reads labelled texts: `# Category` with one text per line below it, JSON lines, a JSON list, or category
 * and text separated by a tab. A category is an id or a name. Of a subcategory, tier 1 counts.
 */
export function readTexts(taxonomy: Taxonomy, content: string): readonly LabelledText[] {
  const rows = rowsOf(content.replace(/^\uFEFF/, '').trim())
  return rows.map(({ label, text }) => ({ text, categoryId: findRoot(taxonomy, label) }))
}

interface Labelled {
  readonly label: string
  readonly text: string
}

function rowsOf(content: string): readonly Labelled[] {
  if (content.startsWith('[')) return (JSON.parse(content) as Row[]).map(fromJson)
  const lines = content.split(/\r?\n/).filter(Boolean)
  if (content.startsWith('{')) return lines.map((line) => fromJson(JSON.parse(line) as Row))
  if (content.startsWith('# ')) return underHeadings(lines)
  return lines.flatMap((line) => {
    const [label = '', ...rest] = line.split('\t')
    return rest.length === 0 ? [] : [{ label, text: rest.join(' ') }]
  })
}

function underHeadings(lines: readonly string[]): readonly Labelled[] {
  let label = ''
  return lines.flatMap((line) => {
    if (!line.startsWith('# ')) return [{ label, text: line }]
    label = line.slice(2).trim()
    return []
  })
}

const LABELS = ['categoryId', 'category', 'tier1', 'label', 'tier1Id', 'id', 'name']
const TEXTS = ['text', 'content', 'body', 'page']

const fromJson = (row: Row): Labelled => ({
  label: String(pick(row, LABELS) ?? ''),
  text: [row['title'], pick(row, TEXTS)].filter(Boolean).join('. '),
})

const pick = (row: Row, keys: readonly string[]) =>
  keys.map((key) => row[key]).find((value) => value !== undefined && value !== null)

function findRoot(taxonomy: Taxonomy, label: string): string {
  const byId = taxonomy.categories.get(label)
  const wanted = plain(label)
  const named = [...taxonomy.categories.values()].filter(({ name }) => plain(name) === wanted)
  const category = byId ?? named.find(({ parentId }) => parentId === undefined) ?? named[0]
  if (!category) throw new Error(`"${label}" is not a category of Content Taxonomy 3.1`)
  return taxonomy.rootOf(category.id)
}

const plain = (name: string) =>
  name
    .toLowerCase()
    .replaceAll('&', 'and')
    .replaceAll(/[^a-z0-9]+/g, ' ')
    .trim()
