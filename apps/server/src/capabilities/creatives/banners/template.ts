import type { Static } from 'typebox'
import type { Template as TemplateView } from '@placard/contract/templates'

/** HTML that operators write, with a place `{{name}}` for each field that a banner fills. */
export interface Template {
  readonly html: string
  readonly fields: readonly TemplateField[]
}

export type TemplateField = Readonly<Static<typeof TemplateView>['fields'][number]>

const PLACE = /\{\{([a-z][a-zA-Z0-9]*)\}\}/g

/** Where a place stands decides which kinds of field may fill it. */
type Context = 'text' | 'address' | 'style' | 'nowhere'

const ALLOWED: Readonly<Record<Context, ReadonlySet<TemplateField['kind']>>> = {
  text: new Set(['text', 'link', 'picture', 'colour']),
  address: new Set(['link', 'picture']),
  style: new Set(['colour']),
  nowhere: new Set(),
}

const WHERE: Readonly<Record<Context, string>> = {
  text: '',
  address: 'stands in an address, which only a link or a picture may fill',
  style: 'stands in a style, which only a colour may fill',
  nowhere:
    'stands where no value is safe: use it in text, or in an attribute in double quotes, and not in a script',
}

/** Everything that makes a template unsafe or impossible to fill. */
export function templateFaults({ html, fields }: Template) {
  const kinds = new Map(fields.map(({ name, kind }) => [name, kind]))
  const places = placesIn(html)
  const used = new Set(places.map(({ name }) => name))
  return [
    ...fields.flatMap(({ name }, at) =>
      fields.findIndex((other) => other.name === name) === at
        ? []
        : [fault(`fields/${at}/name`, `“${name}” is there twice`)],
    ),
    ...fields.flatMap(({ name }, at) =>
      used.has(name) ? [] : [fault(`fields/${at}/name`, `has no place {{${name}}} in the HTML`)],
    ),
    ...places.flatMap(({ name, context }) => {
      const kind = kinds.get(name)
      if (kind === undefined) return [fault('html', `{{${name}}} has no field`)]
      return ALLOWED[context].has(kind) ? [] : [fault('html', `{{${name}}} ${WHERE[context]}`)]
    }),
  ]
}

const fault = (field: string, message: string) => ({ path: `body/${field}`, message })

/** Comments, scripts and styles with what is in them, and tags. */
const TOKEN =
  /<!--[\s\S]*?(?:-->|$)|<(script|style|textarea|title|iframe|noscript)\b[\s\S]*?(?:<\/\1\s*>|$)|<[a-z/!{](?:"[^"]*"|'[^']*'|[^'">])*(?:>|$)/gi

interface Place {
  readonly name: string
  readonly context: Context
}

function placesIn(html: string): readonly Place[] {
  const found: Place[] = []
  let from = 0
  for (const token of html.matchAll(TOKEN)) {
    found.push(...placesOf(html.slice(from, token.index), 'text'))
    found.push(...(isTag(token) ? placesInTag(token[0]) : placesOf(token[0], 'nowhere')))
    from = token.index + token[0].length
  }
  return [...found, ...placesOf(html.slice(from), 'text')]
}

const isTag = ([text, raw]: RegExpExecArray) => raw === undefined && !text.startsWith('<!--')

const placesOf = (text: string, context: Context): readonly Place[] =>
  Array.from(text.matchAll(PLACE), ([, name]) => ({ name: name!, context }))

const ATTRIBUTE = /([^\s"'<>/=]+)\s*=\s*"([^"]*)"/g

/** Only values in double quotes can hold a place. */
function placesInTag(tag: string): readonly Place[] {
  const quoted = Array.from(tag.matchAll(ATTRIBUTE), ([, name, value]) =>
    placesOf(value!, contextOf(name!.toLowerCase())),
  )
  const rest = tag.replaceAll(ATTRIBUTE, (_, name: string) => name)
  return [...quoted.flat(), ...placesOf(rest, 'nowhere')]
}

const ADDRESSES = new Set(['href', 'src', 'poster', 'action', 'formaction', 'data', 'background'])
const SCRIPTED = /^on|^srcdoc$|^srcset$|:|^ping$|^content$/

function contextOf(attribute: string): Context {
  if (SCRIPTED.test(attribute)) return 'nowhere'
  if (ADDRESSES.has(attribute)) return 'address'
  return attribute === 'style' ? 'style' : 'text'
}

type TemplateValues = Readonly<Record<string, string>>

/** The HTML of a banner, or why its values do not fill the template. */
export function fillTemplate({ html, fields }: Template, values: TemplateValues) {
  const names = new Set(fields.map(({ name }) => name))
  const faults = [
    ...fields.flatMap((field) => {
      const message = valueFault(field, values[field.name] ?? '')
      return message === undefined ? [] : [fault(`templateValues/${field.name}`, message)]
    }),
    ...Object.keys(values)
      .filter((name) => !names.has(name))
      .map((name) => fault(`templateValues/${name}`, 'is no field of the template')),
  ]
  const filled = html.replaceAll(PLACE, (_, name: string) => escaped(values[name] ?? ''))
  return { html: filled, faults }
}

function valueFault({ kind, isRequired, maxLength }: TemplateField, value: string) {
  if (value === '') return isRequired ? 'is required' : undefined
  if (maxLength !== undefined && value.length > maxLength) {
    return `must have at most ${maxLength} characters`
  }
  return KIND_FAULTS[kind](value)
}

const isWeb = (value: string) => /^https?:$/.test(URL.parse(value)?.protocol ?? '')

const KIND_FAULTS: Readonly<Record<TemplateField['kind'], (value: string) => string | undefined>> =
  {
    text: () => undefined,
    link: (value) => (isWeb(value) ? undefined : 'must be an address that begins with https://'),
    picture: (value) =>
      isWeb(value) || /^\/api\/v1\/assets\/[0-9a-f-]{36}\/file$/.test(value)
        ? undefined
        : 'must be the address of a picture',
    colour: (value) =>
      /^#[0-9a-f]{6}$/i.test(value) ? undefined : 'must be a colour such as #0f3d3e',
  }

/** Braces too: a value must not become a macro of its own. */
const escaped = (text: string): string =>
  text.replaceAll(/[&<>"'{}]/g, (character) => `&#${character.charCodeAt(0)};`)

interface TemplateUse {
  readonly format: string
  readonly templateId?: bigint | null
}

/** A template is HTML. */
export const templateUseFaults = ({ format, templateId }: TemplateUse) =>
  templateId != null && format !== 'html'
    ? [fault('format', 'must be html for a banner of a template')]
    : []
