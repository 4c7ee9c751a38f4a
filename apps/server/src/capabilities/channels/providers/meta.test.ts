import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { fixedClock } from '../../../testing/fixed.ts'
import { microsOf, pauseMinutes } from './meta-insights.ts'
import { metaProvider, TokenExpired } from './meta.ts'
import { ProviderPaused } from '../sync/operations-sync.ts'
import type { StatRequest } from './stat.ts'

interface Reply {
  readonly status?: number
  readonly headers?: Record<string, string>
  readonly body: unknown
}

/** A Graph API that gives these answers one after the other, and records the requests. */
async function aGraphApi(replies: readonly Reply[]) {
  const requested: { method: string; url: URL; token: string | undefined }[] = []
  const pauses: number[] = []
  const left = [...replies]
  const server = createServer((message: IncomingMessage, response) => {
    const url = new URL(message.url!, 'http://graph')
    requested.push({ method: message.method!, url, token: message.headers.authorization })
    const { status = 200, headers = {}, body } = left.shift() ?? { status: 404, body: {} }
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const provider = metaProvider({
    clock: fixedClock(),
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v23.0`,
    timeoutMs: 2_000,
    pause: async (ms) => void pauses.push(ms),
  })
  return { provider, requested, pauses }
}

const budget = { dailyMicros: undefined, totalMicros: undefined, adSets: 0, ads: 0 }
const request = (fields: Partial<StatRequest> = {}): StatRequest => ({
  advertiserId: 'advertiser',
  level: 'CAMPAIGN',
  entities: [
    { id: 'ours-1', externalId: '111', budget },
    { id: 'ours-2', externalId: '222', budget },
    { id: 'never published', externalId: undefined, budget },
  ],
  from: '2026-06-15',
  to: '2026-06-15',
  fetchedAt: new Date('2026-06-15T12:00:00Z'),
  account: { externalId: 'act_9', credentials: 'EAAB-token', currency: 'EUR' },
  signal: new AbortController().signal,
  ...fields,
})

const insight = (campaign_id: string, fields = {}) => ({
  campaign_id,
  date_start: '2026-06-15',
  date_stop: '2026-06-15',
  spend: '12.34',
  impressions: '1000',
  inline_link_clicks: '20',
  actions: [
    { action_type: 'omni_purchase', value: '2' },
    { action_type: 'purchase', value: '9' },
    { action_type: 'view_content', value: '14' },
  ],
  action_values: [{ action_type: 'omni_purchase', value: '99.9' }],
  ...fields,
})

test('insights are read page after page, and days without delivery are zero', async () => {
  const { provider, requested } = await aGraphApi([
    {
      body: {
        data: [insight('111')],
        paging: { cursors: { after: 'c1' }, next: 'http://169.254.169.254/steal' },
      },
    },
    { body: { data: [insight('333')], paging: { cursors: { after: 'c2' } } } },
  ])

  const { rows } = await provider.fetchStats(request())

  expect(rows).toMatchObject([
    {
      entityId: 'ours-1',
      externalEntityId: '111',
      spendMicros: 12_340_000n,
      impressions: 1_000,
      linkClicks: 20,
      contentViews: 14,
      purchases: 2,
      purchaseValueMicros: 99_900_000n,
      ctr: 0.02,
      roas: 8.0956,
    },
    { entityId: 'ours-2', spendMicros: 0n, impressions: 0 },
  ])
  expect(requested.map(({ url }) => [url.pathname, url.searchParams.get('after')])).toEqual([
    ['/v23.0/act_9/insights', null],
    ['/v23.0/act_9/insights', 'c1'],
  ])
  expect(requested[0]!.url.searchParams.get('level')).toBe('campaign')
  expect(requested[0]!.url.searchParams.get('time_range')).toBe(
    '{"since":"2026-06-15","until":"2026-06-15"}',
  )
})

test('the token travels in a header, never in an address', async () => {
  const { provider, requested } = await aGraphApi([{ body: { data: [] } }])

  await provider.fetchStats(request())

  expect(requested[0]!.token).toBe('Bearer EAAB-token')
  expect(requested[0]!.url.href).not.toContain('EAAB')
})

test('a transient error is tried again after growing pauses', async () => {
  const { provider, pauses } = await aGraphApi([
    { status: 500, body: { error: { code: 2, is_transient: true } } },
    { status: 200, body: 'no JSON' },
    { body: { data: [insight('111')] } },
  ])

  const { rows } = await provider.fetchStats(request())

  expect(rows[0]).toMatchObject({ impressions: 1_000 })
  expect(pauses).toEqual([1_000, 2_000])
})

test('after three failures the call fails, without repeating the platform’s words', async () => {
  const fault = { status: 503, body: { error: { code: 1, type: 'OAuth', message: 'about Ada' } } }
  const { provider, requested } = await aGraphApi([fault, fault, fault, fault])

  const failure = await provider.fetchStats(request()).catch((error: Error) => error.message)

  expect(failure).toBe('The Graph API does not answer: The Graph API answered 503 (OAuth, code 1)')
  expect(requested).toHaveLength(3)
})

test('an expired token is reported at once', async () => {
  const { provider, requested } = await aGraphApi([
    { status: 401, body: { error: { code: 190, type: 'OAuthException', error_subcode: 463 } } },
  ])

  await expect(provider.fetchStats(request())).rejects.toThrow(TokenExpired)
  expect(requested).toHaveLength(1)
})

test('an account over its rate limit is left alone for as long as the platform says', async () => {
  const usage = JSON.stringify({
    '9': [{ type: 'ads_insights', estimated_time_to_regain_access: 45 }],
  })
  const { provider } = await aGraphApi([
    {
      status: 400,
      headers: { 'x-business-use-case-usage': usage },
      body: { error: { code: 80_000 } },
    },
  ])

  const refusal = await provider.fetchStats(request()).catch((error: unknown) => error)

  expect(refusal).toBeInstanceOf(ProviderPaused)
  expect((refusal as ProviderPaused).until).toEqual(new Date('2026-06-15T12:45:00Z'))
})

test('an account close to its rate limit goes slower', async () => {
  const { provider } = await aGraphApi([
    { headers: { 'x-ad-account-usage': '{"acc_id_util_pct":80.5}' }, body: { data: [] } },
  ])

  expect(await provider.fetchStats(request())).toMatchObject({
    restsUntil: new Date('2026-06-15T12:30:00Z'),
  })
})

test('a long range is ordered as a report, and read when it is ready', async () => {
  const { provider, requested, pauses } = await aGraphApi([
    { body: { report_run_id: '77' } },
    { body: { async_status: 'Job Running', async_percent_completion: 40 } },
    { body: { async_status: 'Job Completed', async_percent_completion: 100 } },
    { body: { data: [insight('222')] } },
  ])

  const { rows } = await provider.fetchStats(request({ from: '2026-06-01' }))

  expect(rows).toHaveLength(30)
  expect(rows.at(-1)).toMatchObject({ entityId: 'ours-2', impressions: 1_000 })
  expect(requested.map(({ method, url }) => `${method} ${url.pathname}`)).toEqual([
    'POST /v23.0/act_9/insights',
    'GET /v23.0/77',
    'GET /v23.0/77',
    'GET /v23.0/77/insights',
  ])
  expect(pauses).toEqual([5_000])
})

test('a report that fails at the platform fails here', async () => {
  const { provider } = await aGraphApi([
    { body: { report_run_id: '77' } },
    { body: { async_status: 'Job Failed' } },
  ])

  await expect(provider.fetchStats(request({ from: '2026-06-01' }))).rejects.toThrow('report')
})

describe('details of Meta’s answers', () => {
  test('decimal text becomes exact micros, and other text becomes zero', () => {
    expect(['0.1', '123456789.999999', '7', '-1', 'x', undefined].map(microsOf)).toEqual([
      100_000n,
      123_456_789_999_999n,
      7_000_000n,
      0n,
      0n,
      0n,
    ])
  })

  test('headers without usage require no pause', () => {
    expect(pauseMinutes({})).toBe(0)
    expect(pauseMinutes({ 'x-app-usage': 'no JSON' })).toBe(0)
    expect(pauseMinutes({ 'x-app-usage': '{"call_count":28}' })).toBe(0)
    expect(pauseMinutes({ 'x-app-usage': '{"call_count":99}' })).toBe(60)
  })
})
