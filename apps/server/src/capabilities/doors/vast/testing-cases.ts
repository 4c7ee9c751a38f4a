import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { FilmAd } from './film-ad.ts'

// oxlint-disable typescript/no-unnecessary-type-parameters -- each test knows the shape of its cases

/** A case as data. */
export const readCase = <Case>(name: string): Case =>
  JSON.parse(readFileSync(path.join(import.meta.dirname, 'cases', `${name}.json`), 'utf8'))

/** Cases as data: what comes in, and what goes out. They document the door too. */
export const readCases = <Case>(name: string): readonly Case[] => readCase(name)

const FILE = {
  url: 'https://ads.example/api/v1/assets/1/file',
  contentType: 'video/mp4',
  width: 1_280,
  height: 720,
  durationMs: 15_000,
  bitrateKbps: 1_200,
  byteCount: 2_250_000,
}

/** What a case says of a film that won, beyond the usual one. */
export type GivenAd = Partial<Omit<FilmAd, 'film' | 'links'>> & {
  readonly film?: Partial<FilmAd['film']>
  readonly links?: null
}

export function anAd({ film, links, ...given }: GivenAd): FilmAd {
  return {
    decisionId: 'decision',
    bannerId: 'banner',
    title: 'Autumn',
    description: 'Everything for the garden',
    advertiser: 'Northwind',
    category: '1002',
    files: [FILE],
    wrappedUrl: undefined,
    landingUrl: 'https://northwind.example/autumn',
    companions: [],
    expiresSeconds: 1_800,
    ...given,
    film: {
      files: [FILE],
      durationMs: 15_000,
      skipAfterMs: undefined,
      vastUrl: undefined,
      verifications: [],
      ...film,
    },
    links:
      links === null
        ? undefined
        : {
            address: 'https://ads.example',
            impressionUrl: 'https://ads.example/t/i/one',
            clickUrl: 'https://ads.example/t/c/two',
            eventToken: 'one',
          },
  }
}

/** A document as lines, one for each tag. */
export const linesOf = (xml: string): readonly string[] =>
  xml.replaceAll(/>(?=<(?!!\[CDATA\[|\/))/g, '>\n').split('\n')
