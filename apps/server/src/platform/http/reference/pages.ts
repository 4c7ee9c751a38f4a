import { exampleOf, type Schema } from './example.ts'
import { escape, fieldRow, fieldsOf, prose } from './markup.ts'

/** The parts of the OpenAPI document that the pages show. */
export interface ApiDocument {
  readonly info: { readonly description?: string }
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly tags: readonly string[]
  readonly security?: readonly unknown[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>
}

interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly description?: string
  readonly example?: unknown
  readonly schema: Schema
}

type Content = Readonly<Record<string, { readonly schema?: Schema }>>

interface Route extends Operation {
  readonly method: string
  readonly path: string
}

const JSON_TYPE = 'application/json'

export const slugOf = (tag: string): string => tag.replaceAll(' ', '-')

/** Pages by slug; the index has the empty slug. */
export function referencePages(document: ApiDocument): ReadonlyMap<string, string> {
  const routes = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, method, path })),
  )
  const byTag = Map.groupBy(routes, ({ tags }) => tags[0]!)
  const index = indexPage(document.info.description ?? '', byTag)
  return new Map([
    ['', index],
    ...[...byTag].map(([tag, routes]) => [slugOf(tag), tagPage(tag, routes)] as const),
  ])
}

const HOW_TO_CALL = `<p>Send a key as <code>X-Api-Key</code>, or the <code>accessToken</code> of
<a href="/docs/sign-in#signIn">POST /api/v1/auth/sign-in</a> as <code>Authorization: Bearer …</code>.
Every failure is a <a href="https://www.rfc-editor.org/rfc/rfc9457">problem document</a> with a stable <code>code</code>.
For programs: <a href="/openapi.json">openapi.json</a>.</p>`

function indexPage(about: string, byTag: ReadonlyMap<string, readonly Route[]>): string {
  const parts = [...byTag].map(
    ([tag, routes]) =>
      `<section><h2><a href="/docs/${slugOf(tag)}">${escape(titleOf(tag))}</a></h2><ul class="routes">${routes
        .map((route) => `<li>${linkTo(route)}</li>`)
        .join('')}</ul></section>`,
  )
  return pageOf(
    'Placard API',
    `<h1>Placard API</h1>${prose(about)}${HOW_TO_CALL}
<label class="find" hidden>Find <input type="search" autocomplete="off" placeholder="campaigns, POST, budget …"></label>
<p class="none" role="status" hidden>No route has these words.</p>${parts.join('')}`,
  )
}

const linkTo = (route: Route): string =>
  `<a href="/docs/${slugOf(route.tags[0]!)}#${route.operationId}">${signature(route)} <span>${escape(route.summary)}</span></a>`

const signature = ({ method, path }: Route): string =>
  `<b class="method ${method}">${method.toUpperCase()}</b> <code>${escape(path)}</code>`

const titleOf = (tag: string): string => tag.charAt(0).toUpperCase() + tag.slice(1)

function tagPage(tag: string, routes: readonly Route[]): string {
  const title = titleOf(tag)
  return pageOf(
    `${title} – Placard API`,
    `<p><a href="/docs">All routes</a></p><h1>${escape(title)}</h1>${routes.map(routePart).join('')}`,
  )
}

function routePart(route: Route): string {
  const { operationId, summary, description, parameters = [] } = route
  const rows = parameters.map(({ name, in: place, required, description, schema }) =>
    fieldRow({
      name: `${name} (${place})`,
      schema: description === undefined ? schema : { ...schema, description },
      isRequired: required === true,
    }),
  )
  return `<article id="${operationId}"><h2>${escape(summary)}</h2><p>${signature(route)}</p>
${description ? prose(description) : ''}${section('Parameters', rows.length > 0 ? `<ul class="fields">${rows.join('')}</ul>` : '')}
${section('Body', contentOf(route.requestBody?.content))}${section('Call', `<pre>${escape(callOf(route))}</pre>`)}${answersOf(route)}</article>`
}

const section = (title: string, content: string): string =>
  content ? `<h3>${title}</h3>${content}` : ''

function contentOf(content: Content | undefined): string {
  if (!content) return ''
  const schema = content[JSON_TYPE]?.schema
  const fields = schema ? fieldsOf(schema) : ''
  return fields || `<p class="type">${escape(Object.keys(content).join(', '))}</p>`
}

function answersOf({ responses }: Route): string {
  return Object.entries(responses)
    .filter(([status]) => !status.endsWith('XX'))
    .map(([status, { content }]) => {
      const fields = contentOf(content)
      return fields
        ? `<details><summary>Answer ${status}</summary>${fields}</details>`
        : `<p>Answer ${status}, without a body</p>`
    })
    .join('')
}

/** The route as a line for a shell. */
function callOf({ method, path, security, parameters = [], requestBody }: Route): string {
  const address = parameters
    .filter((parameter) => parameter.in === 'path')
    .reduce(
      (url, one) => url.replace(`{${one.name}}`, String(one.example ?? exampleOf(one.schema))),
      path,
    )
  const schema = requestBody?.content[JSON_TYPE]?.schema
  return [
    `curl${method === 'get' ? '' : ` -X ${method.toUpperCase()}`} "$PLACARD${address}"`,
    ...(security ? ['-H "authorization: Bearer $TOKEN"'] : []),
    ...(schema
      ? [
          `-H 'content-type: ${JSON_TYPE}'`,
          `-d '${JSON.stringify(exampleOf(schema)).replaceAll("'", String.raw`'\''`)}'`,
        ]
      : []),
  ].join(' \\\n  ')
}

const pageOf = (title: string, content: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${escape(title)}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,"><link rel="stylesheet" href="/docs/style.css"><script src="/docs/page.js" defer></script></head>
<body><main>${content}</main></body></html>
`
