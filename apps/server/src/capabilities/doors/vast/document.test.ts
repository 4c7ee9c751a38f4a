import { describe, expect, test } from 'vitest'
import type { BannerContent } from '../../decisions/index.ts'
import { allIn, CDATA, childrenOf, named, parseXml } from '../shared/testing-xml.ts'
import { vastDocument } from './document.ts'
import { fittingFiles, isWrapped, judgeFilm, type Player } from './player.ts'
import { anAd, type GivenAd, linesOf, readCase, readCases } from './testing-cases.ts'
import { acceptedOf, VAST_VERSIONS, type VastVersion, versionNamed } from './version.ts'

interface DocumentCase {
  readonly name: string
  readonly version: VastVersion
  readonly given: GivenAd | readonly GivenAd[]
  readonly emptyErrorUrl?: string
  readonly xml: readonly string[]
}

const documentOf = ({ given, ...terms }: DocumentCase) =>
  vastDocument([given].flat().map(anAd), terms)

const documents = readCases<DocumentCase>('documents')

test.each(documents)('VAST $version: $name', (given) => {
  expect(linesOf(documentOf(given))).toEqual(given.xml)
})

/** The order of an element's children by the IAB's schemas; those of 4.1 to 4.3 are the same. */
interface Schema {
  readonly required: Readonly<Record<string, readonly string[]>>
  readonly events: readonly string[]
  readonly [element: string]: unknown
}
const schemas = readCase<Readonly<Record<string, Schema>>>('order')
const schemaOf = (version: VastVersion): Schema =>
  schemas[/^4\.[1-3]$/.test(version) ? '4.2' : version]!

describe('the schema of each version', () => {
  const everything = VAST_VERSIONS.flatMap((version) =>
    documents.map((given) => ({ ...given, version })),
  )

  test('every case in every version is well formed, and its elements stand in the order of the schema', () => {
    for (const given of everything) {
      const schema = schemaOf(given.version)
      for (const element of allIn(parseXml(documentOf(given)))) {
        const order = schema[element.nodeName]
        if (!Array.isArray(order)) continue
        const names = childrenOf(element).map(({ nodeName }) => nodeName)
        const inOrder = names.toSorted((a, b) => order.indexOf(a) - order.indexOf(b))
        expect({ names, unknown: names.filter((name) => !order.includes(name)) }).toEqual({
          names: inOrder,
          unknown: [],
        })
        const required = schema.required[element.nodeName] ?? []
        expect(required.filter((name) => !names.includes(name))).toEqual([])
      }
    }
  })

  test('no version has events that its schema does not know', () => {
    for (const given of everything) {
      const events = named(parseXml(documentOf(given)), 'Tracking').map((element) =>
        element.getAttribute('event'),
      )
      const { events: known } = schemaOf(given.version)
      expect(events.filter((event) => !known.includes(event))).toEqual([])
    }
  })

  test('every ad has one Error, of one CDATA node without space around it', () => {
    for (const given of everything) {
      for (const ad of childrenOf(parseXml(documentOf(given)))) {
        if (ad.nodeName !== 'Ad' || !documentOf(given).includes('/t/')) continue
        const errors = named(ad, 'Error')
        const nodes = errors.flatMap(({ childNodes }) => Array.from(childNodes))
        expect(nodes.map(({ nodeType }) => nodeType)).toEqual([CDATA])
        expect(nodes[0]!.textContent).toBe('https://ads.example/t/x/one?code=[ERRORCODE]')
      }
    }
  })
})

test('what an advertiser writes arrives as it was written, without what XML cannot hold', () => {
  const title = 'Bäcker & Söhne <b>\u0001"🍞" ]]>\ud800'
  const root = parseXml(vastDocument([anAd({ title })], { version: '4.2' }))

  const [found] = named(root, 'AdTitle')
  expect(found!.textContent).toBe('Bäcker & Söhne <b> "🍞" ]]> ')
})

type Banner = Pick<BannerContent, 'format' | 'film'>

interface FitCase {
  readonly name: string
  readonly banner?: Partial<Banner>
  readonly film?: Partial<Banner['film']>
  readonly files?: readonly object[]
  readonly player?: Partial<Player>
  readonly reason?: string
  readonly shows?: readonly number[]
}

const FILE = anAd({}).files[0]!

/** JSON has null for what is unknown. */
const known = <Value extends object>(given: Value): Value =>
  Object.fromEntries(
    Object.entries(given).map(([key, value]: [string, unknown]) => [key, value ?? undefined]),
  ) as Value

test.each(readCases<FitCase>('fit'))('a player and a film: $name', (given) => {
  const files = (given.files ?? [{}]).map((file) => ({ ...FILE, ...file }))
  const film = { ...anAd({ film: { files } }).film, ...known(given.film ?? {}) }
  const banner: Banner = { format: 'video', film, ...known(given.banner ?? {}) }
  const player: Player = {
    version: '4.2',
    mimes: [],
    maySkip: true,
    mayWrap: true,
    ...given.player,
  }

  expect(judgeFilm(banner, player)).toBe(given.reason)
  if (given.shows === undefined) return
  expect(isWrapped(film, player)).toBe(false)
  expect(fittingFiles(film, player)).toEqual(given.shows.map((at) => files[at]))
})

interface VersionCase {
  readonly name?: string
  readonly protocols?: readonly number[]
  readonly version?: VastVersion
  readonly mayWrap?: boolean
}

test.each(readCases<VersionCase>('versions'))(
  'the version that a player asks for: %o',
  ({ name, protocols = [], version, mayWrap }) => {
    const found = name === undefined ? acceptedOf(protocols) : { version: versionNamed(name) }

    expect(found ?? {}).toEqual({ version, ...(mayWrap !== undefined && { mayWrap }) })
  },
)
