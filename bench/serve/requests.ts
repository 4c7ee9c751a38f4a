import { open } from 'maxmind'
import { createRequire } from 'node:module'
import type { Dice } from '../engine/dice.ts'

const AGENTS = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (Linux; Android 15; SM-X910) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
  'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
]
const LANGUAGES = ['en-GB,en;q=0.8', 'de-DE,de;q=0.9,en;q=0.5', 'fr', 'hi-IN,en;q=0.7', 'pt-BR']

/** An address of each country in the bundled Geo-IP file. */
export async function addressesByCountry(dice: Dice, wanted: number): Promise<Map<string, string>> {
  const file = createRequire(import.meta.url).resolve(
    '@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb',
  )
  const reader = await open(file)
  const found = new Map<string, string>()
  for (let tries = 0; tries < 200_000 && found.size < wanted; tries++) {
    const part = () => Math.floor(dice.next() * 223) + 1
    const address = `${part()}.${part()}.${part()}.${part()}`
    const country = (reader.get(address) as { country_code?: string } | null)?.country_code
    if (country && !found.has(country)) found.set(country, address)
  }
  return found
}

export interface RequestMix {
  readonly placements: readonly string[]
  readonly users: number
  readonly addresses: readonly string[]
}

/** A browser's request for one ad. Popular placements get more requests. */
export function serveRequest(dice: Dice, mix: RequestMix): { headers: string[]; body: string } {
  const { placements, users, addresses } = mix
  const placement = placements[Math.floor(placements.length * dice.next() ** 3)]!
  const user = Math.floor(dice.next() * users)
  const body = JSON.stringify({
    userId: `00000000-0000-4000-8000-${String(user).padStart(12, '0')}`,
    placement,
    placementType: 'feed',
    url: `https://news.example/article/${user % 977}`,
  })
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(dice.next() * items.length)]!
  return {
    headers: [
      `User-Agent: ${pick(AGENTS)}`,
      `Accept-Language: ${pick(LANGUAGES)}`,
      `X-Forwarded-For: ${pick(addresses)}`,
      'Content-Type: application/json',
      'Referer: https://search.example/?q=shoes',
    ],
    body,
  }
}

export const rawRequest = ({ headers, body }: { headers: string[]; body: string }): string =>
  `${['POST /api/v1/ads/serve HTTP/1.1', 'Host: 127.0.0.1', ...headers, `Content-Length: ${Buffer.byteLength(body)}`].join('\r\n')}\r\n\r\n${body}`

export interface WrkRequest {
  readonly headers: readonly string[]
  readonly body?: string
  readonly method?: 'GET' | 'POST'
  readonly path?: string
}

/** The same requests for wrk, which sends one after each answer. */
export function wrkScript(requests: readonly WrkRequest[]): string {
  const lua = requests.map(({ headers, body, method = 'POST', path = '/api/v1/ads/serve' }) => {
    const pairs = headers.map((header) => {
      const [name, ...value] = header.split(': ')
      return `[${JSON.stringify(name)}]=${JSON.stringify(value.join(': '))}`
    })
    const text = body === undefined ? 'nil' : JSON.stringify(body)
    return `wrk.format("${method}","${path}",{${pairs.join(',')}},${text})`
  })
  return `local requests
init = function() requests = {${lua.join(',\n')}} end
local at = 0
request = function() at = at + 1; return requests[at % #requests + 1] end
done = function(summary, latency)
  local errors = summary.errors.status + summary.errors.read + summary.errors.timeout
  io.write(string.format('{"perSecond":%f,"p50Ms":%f,"p99Ms":%f,"errors":%d}\\n',
    summary.requests / summary.duration * 1e6, latency:percentile(50) / 1000, latency:percentile(99) / 1000, errors))
end
`
}
