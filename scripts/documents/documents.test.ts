import { existsSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { Settings } from '../../apps/server/src/settings/config.ts'
import { ROOT } from '../imports.ts'
import {
  DEPLOYMENT,
  DOCUMENTS,
  linesOf,
  namesIn,
  read,
  tracked,
  unknownTo,
  type Line,
} from './documents.ts'

/** Names in documents exist in the code, so that readers can search for them. */
const documents = linesOf(DOCUMENTS)
const sources = tracked.filter((file) => /\.(tsx?|mjs|sql|html)$/.test(file))
const code = sources.filter((file) => !/\.test\.tsx?$|^scripts\/documents\//.test(file)).map(read)
const codeNames = new Set(code.flatMap((text) => text.match(/[A-Za-z_$][\w$]*/g) ?? []))

interface Operation {
  readonly description?: string
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Body }>> }
}
interface Body {
  readonly properties?: Readonly<Record<string, Marked>>
}
const { paths: described } = JSON.parse(read('docs/reference/openapi.json')) as {
  paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}
/** The permissions of each route, such as `get /api/v1/admin/users/{}`. */
const routes: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(described).flatMap(([address, methods]) =>
    Object.entries(methods).map(
      ([method, { description = '' }]) =>
        [`${method} ${withoutNames(address)}`, permissionsIn(description)] as const,
    ),
  ),
)
const addresses = [...new Set(Object.keys(described).map(withoutNames))]

function withoutNames(address: string): string {
  return address.replace(/\{[^}]*\}|<[^>]*>|:\w+/g, '{}')
}

function permissionsIn(text: string): readonly string[] {
  return text.match(/\b[a-z]+:(read|write)\b/g) ?? []
}

test('every permission in a document is required by a route', () => {
  const needed = new Set([...routes.values()].flat())

  const named = namesIn(documents, /\b([a-z]+:(?:read|write))\b/g)
  expect(named.length).toBeGreaterThan(5)
  expect(unknownTo((name) => needed.has(name), named)).toEqual([])
})

const ROUTE = /\b(GET|POST|PUT|PATCH|DELETE) (\/[\w/{}:<>.-]*)/g

const routesIn = ({ text }: Line) =>
  [...text.matchAll(ROUTE)].map(
    ([, method, address]) =>
      `${method!.toLowerCase()} ${withoutNames(address!.replace(/[.:]$/, ''))}`,
  )

test('every route in a document exists and requires the permission beside it', () => {
  const named = documents.flatMap((line) => routesIn(line).map((route) => ({ line, route })))
  const unknown = named.filter(({ route }) => !routes.has(route))
  const wrong = named.filter(({ line, route }) => {
    const beside = permissionsIn(line.text)
    const needs = routes.get(route) ?? []
    return routesIn(line).length === 1 && beside.some((one) => !needs.includes(one))
  })

  expect(named.length).toBeGreaterThan(20)
  expect(unknown.map(({ line, route }) => `${line.at} ${route}`)).toEqual([])
  expect(wrong.map(({ line, route }) => `${line.at} ${route}`)).toEqual([])
})

test('every address below /api/v1 or /internal/v1 in a document is a route or the start of one', () => {
  const begins = (name: string) =>
    addresses.some((address) => `${address}/`.startsWith(`${withoutNames(name)}/`))

  const named = namesIn(documents, /(\/(?:api|internal)\/v1(?:\/[\w{}:<>-]+)+)/g)
  expect(named.length).toBeGreaterThan(20)
  expect(unknownTo((name) => isFilledIn(name) || begins(name), named)).toEqual([])
})

/** Examples have ids and shell variables in place of route parameters. */
function isFilledIn(name: string): boolean {
  const parts = name.split('/')
  return addresses.some((address) => {
    const wanted = address.split('/')
    return (
      parts.length <= wanted.length &&
      parts.every((part, at) => part === wanted[at] || wanted[at] === '{}')
    )
  })
}

/** Read by Node, npm or the shell. */
const ENVIRONMENT = new Set(['NODE_OPTIONS', 'NODE_ENV', 'NO_COLOR'])

test('every setting or code in capitals in a document or deployment exists', () => {
  const isKnown = (name: string) =>
    name in Settings.properties || codeNames.has(name) || ENVIRONMENT.has(name)

  const inText = namesIn(documents, /`([A-Z][A-Z0-9]*_[A-Z0-9_]*[A-Z0-9])(?:=[^`]*)?`/g)
  const exported = namesIn(documents, /(?:^|\s)([A-Z][A-Z0-9]*_[A-Z0-9_]+)=\S/g)
  expect(inText.length).toBeGreaterThan(50)
  const fromOutside = exported.filter(({ file, name }) => !isOfTheShell(name, read(file)))
  expect(unknownTo(isKnown, [...inText, ...fromOutside])).toEqual([])
})

/** A block may set a shell variable and use it. */
const isOfTheShell = (name: string, text: string) => text.includes(`$${name}`)

test('every metric in a document, alert or dashboard exists', () => {
  const own = new Set(code.flatMap((text) => text.match(/\bplacard_[a-z_]+\b/g) ?? []))
  const isKnown = (name: string) => {
    const base = name.replace(/_(bucket|count|sum)$/, '')
    return own.has(name) || own.has(base) || isPutTogether(base) || BY_LIBRARY.test(name)
  }

  const named = namesIn(
    [...documents, ...linesOf(DEPLOYMENT)],
    /\b(placard_[a-z_]+[a-z])\b(?!\/|\.)/g,
  )
  expect(named.length).toBeGreaterThan(50)
  expect(unknownTo(isKnown, named)).toEqual([])
})

const BY_LIBRARY = /^placard_(process|nodejs)_/

/** For `placard_geo_${name}_total`, the middle part is a name in the code. */
const templates = code.flatMap((text) => [
  ...text.matchAll(/\b(placard_[a-z_]*)\$\{\w+\}([a-z_]*)`/g),
])
const isPutTogether = (metric: string) =>
  templates.some(([, start = '', end = '']) => {
    const middle = metric.slice(start.length, metric.length - end.length)
    return metric.startsWith(start) && end && metric.endsWith(end) && codeNames.has(middle)
  })

test('every npm command in a document exists, including its benchmark or simulation', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
  const behind = `${read('bench/main.ts')}${read('simulation/main.ts')}`

  const named = namesIn(documents, /\bnpm run ([a-z:-]*[a-z])/g)
  const benches = namesIn(documents, /\b(?:bench|simulate) -- ([a-z]+)/g)
  expect(named.length).toBeGreaterThan(10)
  expect(unknownTo((name) => name in scripts, named)).toEqual([])
  expect(unknownTo((name) => behind.includes(`  ${name}: `), benches)).toEqual([])
})

/** A decision about removed code uses its old names. */
const isOfThePast = (file: string) =>
  /^\*\*Status\.\*\*.*(Supersede|Amended by)|^# 0037/m.test(read(file))
/** Created by a running Placard, or a pattern for a new file. */
const NOT_HERE = new Set([
  'secrets.json',
  'sellers.json',
  'apps/server/migrations/NNNN_what.sql',
  'apps/console/dist',
])

test('every file or folder in a document exists', () => {
  const folders = new Set(tracked.flatMap(foldersOf))
  const isKnown = (name: string) =>
    NOT_HERE.has(name) ||
    tracked.some((file) => file === name || file.endsWith(`/${name}`)) ||
    [...folders].some((folder) => folder === name || folder.endsWith(`/${name}`))

  const present = documents.filter(({ file }) => !isOfThePast(file))
  const named = namesIn(
    present,
    /`((?:[\w@.-]+\/)*[\w@.-]+\.(?:ts|tsx|mjs|json|md|sql|yaml|svg|css))`/g,
  )
  const inFolders = namesIn(
    present,
    /`((?:apps|packages|scripts|docs|deploy|bench|chaos|simulation|src|platform|capabilities)(?:\/[\w.-]+)+)\/?`/g,
  )
  expect(named.length).toBeGreaterThan(100)
  expect(unknownTo(isKnown, [...named, ...inFolders])).toEqual([])
})

function foldersOf(file: string): string[] {
  const parts = file.split('/').slice(0, -1)
  return parts.map((_, at) => parts.slice(0, at + 1).join('/'))
}

test('every folder in the map of the README exists', () => {
  const [, map = ''] = /^```text\n(apps\/server.*?)^```$/ms.exec(read('README.md'))!
  const named = map.split('\n').flatMap((line) => /^( *)([\w/-]+)\//.exec(line) ?? [])
  const folders = [...map.matchAll(/^( *)([\w/-]+)\//gm)].map(([, indent, name]) =>
    indent ? `apps/server/${name}` : name!,
  )

  expect(named.length).toBeGreaterThan(10)
  expect(folders.filter((folder) => !existsSync(path.join(ROOT, folder)))).toEqual([])
})

test('every link between documents leads to a page and to one of its headings', () => {
  const links = namesIn(documents, /\]\(((?!https?:|mailto:)[^)\s]+)\)/g)
  const broken = links.filter(({ file, name }) => {
    const [target = '', anchor] = name.split('#')
    const page = target ? path.posix.join(path.posix.dirname(file), target) : file
    if (!existsSync(path.join(ROOT, page))) return true
    return anchor !== undefined && !headingsOf(read(page)).includes(anchor)
  })

  expect(links.length).toBeGreaterThan(100)
  expect(broken.map(({ at, name }) => `${at} ${name}`)).toEqual([])
})

/** The anchor of a heading, as on GitHub. */
const headingsOf = (page: string): string[] =>
  [...page.matchAll(/^#+ (.*)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, '')
      .replaceAll(' ', '-'),
  )

test('every decision that the code or a document refers to exists', () => {
  const numbers = new Set(
    tracked.flatMap((file) => /^docs\/decisions\/(\d{4})-/.exec(file)?.[1] ?? []),
  )
  const inCode = linesOf(/\.(ts|tsx|mjs|sql|yaml)$/)

  const named = namesIn([...documents, ...inCode], /\bADR (\d+)\b/g)
  expect(named.length).toBeGreaterThan(20)
  expect(unknownTo((name) => numbers.has(name.padStart(4, '0')), named)).toEqual([])
})

interface Marked {
  readonly 'x-written-by'?: readonly string[]
  readonly 'x-written-by-when'?: string
}

/** Rows, roles, fields and condition, as the contract marks them: `campaigns | operator, ad-ops | pricing | booked`. */
function markedFields(): string[] {
  const fields = Object.entries(described).flatMap(([address, methods]) =>
    Object.values(methods).flatMap(({ requestBody }) =>
      Object.entries(requestBody?.content['application/json']?.schema.properties ?? {}).flatMap(
        ([field, { 'x-written-by': roles, 'x-written-by-when': when = 'always' }]) =>
          roles ? [`${address.split('/')[4]} | ${roles.join(', ')} | ${field} | ${when}`] : [],
      ),
    ),
  )
  return [...new Set(fields)].toSorted()
}

test('docs/security.md lists the fields that the contract gives to the seller, with roles and condition', () => {
  const rows = [
    ...read('docs/security.md').matchAll(/^\| (\w+) +\| (operator[^|]*?) +\| ([^|]+?) +\| (\w+)/gm),
  ]
  const listed = rows.flatMap(([, of, roles, fields, when]) =>
    [...fields!.matchAll(/`(\w+)`/g)].map(([, field]) => `${of} | ${roles} | ${field} | ${when}`),
  )

  expect(listed.length).toBeGreaterThan(8)
  expect(listed.toSorted()).toEqual(markedFields())
})

test('docs/security.md says of every label whether it is billed, and only valid events are', () => {
  const [, union] = /export type Label =((?:\s+\| '[\w-]+')+)/.exec(
    read('apps/server/src/capabilities/tracking/intake/labels.ts'),
  )!
  const [, table] = /## What is billed, and what is not\n([^]*?)\n## /.exec(
    read('docs/security.md'),
  )!
  const rows = table!.split('\n').filter((line) => line.startsWith('| '))
  const billed = rows.filter((row) => /\| (yes|no, until)[^|]*\|$/.test(row.trim()))
  const named = new Set(rows.flatMap((row) => row.match(/`[a-z-]+`/g) ?? []))

  expect(
    union!.match(/'[\w-]+'/g)!.filter((label) => !named.has(label.replaceAll("'", '`'))),
  ).toEqual([])
  expect(billed.length).toBeGreaterThan(1)
  expect(billed.filter((row) => !row.includes('`valid`'))).toEqual([])
})
