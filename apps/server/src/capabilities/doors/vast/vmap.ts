import type { VmapQuery } from '@placard/contract/vast'
import { isUnfilledMacro } from '../../consent/index.ts'
import { xmlAddress, xmlElement } from '../shared/xml.ts'
import { versionOf } from './question.ts'
import type { VastVersion } from './version.ts'

const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>'
const NAMESPACE = 'http://www.iab.net/videosuite/vmap'
const DEFAULT_BREAKS = 'start'

/** VMAP names the kind of answer by the first number of its version. */
const templateType = (version: VastVersion) => `vast${version[0]}`

/** The breaks of a film. Each leads to the VAST of the placement, which decides when it comes. */
export function vmapDocument(vastUrl: string, query: VmapQuery): string {
  const { breaks: asked, ...forPlayers } = query
  const breaks = asked === undefined || isUnsaid(asked) ? DEFAULT_BREAKS : asked
  const times = [...new Set(breaks.split(',').map(timeOf))]
  const tag = vastUrl + queryText(forPlayers)
  const version = versionOf(query.v)
  const content = times.map((time, at) => adBreak({ time, at, tag, version })).join('')
  return DECLARATION + xmlElement('vmap:VMAP', content, { 'xmlns:vmap': NAMESPACE, version: '1.0' })
}

const isUnsaid = (text: string) => text === '' || isUnfilledMacro(text)

interface Break {
  readonly time: string
  readonly at: number
  readonly tag: string
  readonly version: VastVersion
}

function adBreak({ time, at, tag, version }: Break): string {
  const address = xmlElement('vmap:AdTagURI', xmlAddress(tag), {
    templateType: templateType(version),
  })
  const source = xmlElement('vmap:AdSource', address, {
    id: `source-${at + 1}`,
    allowMultipleAds: 'true',
    followRedirects: 'true',
  })
  return xmlElement('vmap:AdBreak', source, {
    timeOffset: time,
    breakType: 'linear',
    breakId: `break-${at + 1}`,
  })
}

/** Seconds as a clock; what is a clock, a share or a word already stays. */
function timeOf(text: string): string {
  if (!/^\d+$/.test(text)) return text
  const seconds = Number(text)
  return [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60]
    .map((part) => String(part).padStart(2, '0'))
    .join(':')
}

/** Only what says something: a macro in here would be encoded, and no player would find it. */
function queryText(query: Omit<VmapQuery, 'breaks'>): string {
  const said = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (!isUnsaid(value)) said.append(name, value)
  }
  return said.size === 0 ? '' : `?${said.toString()}`
}
