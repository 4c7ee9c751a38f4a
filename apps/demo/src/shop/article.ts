import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { html, type Markup } from './html.ts'

export interface Article {
  readonly slug: string
  readonly title: string
  readonly theme: string
  readonly lead: string
  readonly blocks: readonly Block[]
}

interface Block {
  readonly kind: 'heading' | 'paragraph'
  readonly text: string
}

const FOLDER = path.join(import.meta.dirname, 'articles')
const THEMES_OF_NEWS = new Set(['News', 'Science', 'Money'])

/** All articles of the two papers. */
export async function readArticles(): Promise<readonly Article[]> {
  const files = (await readdir(FOLDER)).toSorted()
  return Promise.all(
    files.map(async (file) =>
      parseArticle(file.replace('.md', ''), await readFile(path.join(FOLDER, file), 'utf8')),
    ),
  )
}

export const isNews = ({ theme }: Article) => THEMES_OF_NEWS.has(theme)

/** `# Title`, then `Theme · Lead`, then paragraphs and `## headings`. */
export function parseArticle(slug: string, text: string): Article {
  const [title = '', about = '', ...rest] = text.trim().split(/\n\n+/)
  const [theme = '', lead = ''] = about.split(' · ')
  return {
    slug,
    title: title.replace(/^# /, ''),
    theme,
    lead,
    blocks: rest.map((block) =>
      block.startsWith('## ')
        ? { kind: 'heading', text: block.slice(3) }
        : { kind: 'paragraph', text: block.replaceAll('\n', ' ') },
    ),
  }
}

/** The text as HTML, with an insertion between two blocks. */
export function showBlocks({ blocks }: Article, at: number, between: Markup): Markup {
  const shown = blocks.map(({ kind, text }) =>
    kind === 'heading' ? html`<h2>${text}</h2>` : html`<p>${text}</p>`,
  )
  return html`${shown.slice(0, at)}${between}${shown.slice(at)}`
}
