import { expect, test } from 'vitest'
import { addKey, startServer } from '../../../testing/server.ts'
import { addAccount } from '../../../testing/world.ts'
import { taxonomyFormats } from './formats.ts'

const CONTENT = taxonomyFormats()['content-category']!
const PRODUCT = taxonomyFormats()['ad-product']!

test.each([
  [
    CONTENT,
    'nonsense',
    '"nonsense" is no id of the IAB Content Taxonomy 3.1: GET /api/v1/admin/content-categories lists them',
  ],
  [CONTENT, 'soccer', '"soccer" is no id of the IAB Content Taxonomy 3.1: Soccer is "533"'],
  [
    CONTENT,
    'IAB1-1',
    '"IAB1-1" is no id of the IAB Content Taxonomy 3.1: Books and Literature is "42"',
  ],
  [PRODUCT, 'Alcohol', '"Alcohol" is no id of the IAB Ad Product Taxonomy 2.0: Alcohol is "1002"'],
])(
  'an unknown id is named, with the one that was meant if it can be found',
  (format, text, fault) => {
    expect(format.holds(text)).toBe(false)
    expect(format.faultOf!(text)).toBe(fault)
  },
)

test('every unknown category, ad product and country of a request is named, and nothing is written', async () => {
  const server = await startServer()
  const { deps, http, connection } = server
  const account = await addAccount(deps, 'platform')
  const scopes = [
    'campaigns:write',
    'banners:write',
    'advertisers:write',
    'reports:read',
    'sites:write',
  ]
  const headers = await addKey(server, { account, scopes })
  const faultsOf = async (method: 'POST' | 'PUT', path: string, payload?: object) => {
    const request = { method, url: `/api/v1${path}`, headers, ...(payload && { payload }) }
    const answer = await http.inject(request)
    expect(answer.statusCode).toBe(400)
    return answer.json<{ faults: { path: string; message: string }[] }>().faults
  }
  const naming = (path: string, text: string) => ({
    path,
    message: expect.stringContaining(`"${text}" is no `),
  })
  const campaign = { name: 'Autumn', categories: ['596', 'cars', 'X1'], adProductCategory: '42x' }
  const banner = {
    adProductCategory: 'beer?',
    title: 'Autumn',
    primaryImageUrl: 'https://a.example/a.png',
  }
  const id = '01890000-0000-7000-8000-000000000001'

  expect(await faultsOf('POST', '/admin/campaigns', { ...campaign, advertiserId: id })).toEqual([
    naming('body/categories/1', 'cars'),
    naming('body/categories/2', 'X1'),
    naming('body/adProductCategory', '42x'),
  ])
  const campaigns = [{ ...campaign, advertiserId: id }]
  expect(await faultsOf('POST', '/admin/campaigns/import', { campaigns })).toHaveLength(3)
  expect(await faultsOf('POST', '/admin/banners', { ...banner, advertiserId: id })).toEqual([
    naming('body/adProductCategory', 'beer?'),
  ])
  expect(await faultsOf('PUT', `/admin/sites/${id}/ad-product-blocks/wine`)).toEqual([
    naming('params/category', 'wine'),
  ])
  const page = `/admin/sites/${id}/pages/${id}/categories`
  expect(await faultsOf('PUT', page, { categoryIds: ['210', 'food'] })).toEqual([
    naming('body/categoryIds/1', 'food'),
  ])
  const report = { dimensions: ['day'], metrics: ['clicks'], filters: { country: ['DE', 'UK'] } }
  expect(await faultsOf('POST', '/reports/query', report)).toEqual([
    {
      path: 'body/filters/country/1',
      message: '"UK" is not a country code of ISO 3166-1: write "GB"',
    },
  ])
  const { rows } = await connection.pool.query('select count(*) from campaigns')
  expect(rows).toEqual([{ count: '0' }])
})
