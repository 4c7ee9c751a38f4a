import { expect, test } from 'vitest'
import { until } from '../../testing/until.ts'
import { addUser, signInAs, startServer } from '../../testing/server.ts'

const API = '/api/v1/admin'

type Items = { id: string; action: string; path: string; topic: string; link: string }[]
type Body = Record<string, unknown> & {
  id: string
  items: Items
  faults: Items
  proposal: { id: string }
}

/** A buyer with a campaign and a banner, and a user of ad operations. */
async function aDesk() {
  const server = await startServer()
  const { http, deps } = server
  const personOf = async (role: 'advertiser' | 'ad-ops' | 'publisher' | 'operator') => {
    const user = await addUser(deps, role)
    const { headers } = await signInAs(server, user.email)
    const send = async (method: 'GET' | 'POST' | 'PATCH', url: string, payload?: object) => {
      const answer = await http.inject({
        method,
        url: `${API}${url}`,
        headers,
        ...(payload && { payload }),
      })
      return { http: answer.statusCode, ...answer.json<Body>() }
    }
    return { ...user, headers, send }
  }
  const buyer = await personOf('advertiser')
  const seller = await personOf('ad-ops')
  const house = { accountId: buyer.account.publicId, name: 'Northwind', currency: 'EUR' }
  const { id: advertiserId } = await buyer.send('POST', '/advertisers', house)
  const campaign = await buyer.send('POST', '/campaigns', { advertiserId, name: 'Autumn' })
  return { ...server, buyer, seller, advertiserId, campaign, personOf }
}

test('a buyer’s change of a seller’s field becomes a proposal, and the other fields are written', async () => {
  const { buyer, seller, campaign } = await aDesk()
  const at = `/campaigns/${campaign.id}`

  const patched = await buyer.send('PATCH', at, {
    name: 'Winter',
    source: 'affiliate',
    priority: 9,
  })

  expect(patched).toMatchObject({
    http: 200,
    name: 'Winter',
    source: 'sponsored',
    priority: 0,
    proposal: { fields: ['source', 'priority'], message: expect.stringContaining('ad operations') },
  })
  const { items } = await seller.send('GET', '/proposals?status=pending')
  expect(items).toMatchObject([
    {
      entity: 'campaign',
      entityId: campaign.id,
      entityName: 'Winter',
      changes: { source: { from: 'sponsored', to: 'affiliate' }, priority: { from: 0, to: 9 } },
    },
  ])

  const accepted = await seller.send('POST', `/proposals/${items[0]!.id}/accept`)
  expect(accepted).toMatchObject({ http: 200, status: 'accepted', decidedBy: 'The ad-ops' })
  expect(await buyer.send('GET', at)).toMatchObject({ source: 'affiliate', priority: 9 })
  expect(await seller.send('POST', `/proposals/${items[0]!.id}/accept`)).toMatchObject({
    http: 409,
    code: 'PROPOSAL_DECIDED',
  })
  const log = await buyer.send('GET', '/audit-log')
  expect(log.items.map(({ action }) => action)).toEqual(
    expect.arrayContaining(['proposal.create', 'proposal.accept']),
  )
})

test('accepting waits for a buyer’s change of the same row without keeping that change from its proposal', async () => {
  const { buyer, seller, campaign, connection } = await aDesk()
  const { pool } = connection
  const at = `/campaigns/${campaign.id}`
  const { proposal } = await buyer.send('PATCH', at, { priority: 9 })
  const change = await pool.connect()
  await change.query('begin')
  await change.query('select from campaigns where public_id = $1 for update', [campaign.id])

  const accepted = seller.send('POST', `/proposals/${proposal.id}/accept`)
  await until('accepting waits for the row', async () => {
    const { rowCount } = await pool.query(
      `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
    )
    return rowCount === 1
  })
  const proposals = 'select from proposals where public_id = $1 for update nowait'
  const [held] = await Promise.allSettled([change.query(proposals, [proposal.id])])
  await change.query('rollback')
  change.release()

  expect(held).toMatchObject({ status: 'fulfilled', value: { rowCount: 1 } })
  expect(await accepted).toMatchObject({ http: 200, status: 'accepted' })
  expect(await buyer.send('GET', at)).toMatchObject({ priority: 9 })
})

test('a declined proposal changes nothing and says why, and its buyer may not decide it', async () => {
  const { buyer, seller, campaign } = await aDesk()
  const { proposal } = await buyer.send('PATCH', `/campaigns/${campaign.id}`, { priority: 1e6 })
  const decline = (person: typeof buyer) =>
    person.send('POST', `/proposals/${proposal.id}/decline`, { reason: 'It is in the contract' })

  expect(await decline(buyer)).toMatchObject({ http: 403 })
  expect(await buyer.send('POST', `/proposals/${proposal.id}/accept`)).toMatchObject({ http: 403 })
  expect(await decline(seller)).toMatchObject({ http: 200, status: 'declined' })
  expect(await buyer.send('GET', `/proposals/${proposal.id}`)).toMatchObject({
    reason: 'It is in the contract',
  })
  expect(await buyer.send('GET', `/campaigns/${campaign.id}`)).toMatchObject({ priority: 0 })
})

test('a row has one pending proposal: a new value replaces the old, the current value takes it back', async () => {
  const { buyer, seller, campaign } = await aDesk()
  const patch = (body: object) => buyer.send('PATCH', `/campaigns/${campaign.id}`, body)

  const first = await patch({ priority: 5, source: 'affiliate' })
  const second = await patch({ priority: 7 })
  expect(second.proposal).toMatchObject({ id: first.proposal.id, fields: ['source', 'priority'] })
  expect((await patch({ priority: 0 })).proposal).toMatchObject({ fields: ['source'] })
  expect((await patch({ source: 'sponsored' })).proposal).toBeUndefined()
  expect(await seller.send('GET', `/proposals/${first.proposal.id}`)).toMatchObject({
    status: 'withdrawn',
  })
})

test('the price of a booked campaign needs a proposal, the price of any other campaign does not', async () => {
  const { buyer, seller, advertiserId, campaign, personOf } = await aDesk()
  const at = `/campaigns/${campaign.id}`
  const publisher = await personOf('publisher')
  expect(await buyer.send('PATCH', at, { maxBidMicros: '9000000' })).toMatchObject({
    maxBidMicros: '9000000',
  })
  const own = { accountId: publisher.account.publicId, name: 'Gazette', currency: 'EUR' }
  const { id: publisherId } = await publisher.send('POST', '/publishers', own)
  const place = { publisherId, slug: 'home-top', label: 'Top', layoutType: 'full_static' }
  const { id: placementId } = await publisher.send('POST', '/placements', place)
  const picture = { title: 'Red', primaryImageUrl: 'https://cdn.example/a.png' }
  const { id: bannerId } = await buyer.send('POST', '/banners', { advertiserId, ...picture })
  await seller.send('POST', `${at}/placements`, { placementId })
  await seller.send('POST', `${at}/placements/${placementId}/banners`, { bannerId })

  expect(await buyer.send('PATCH', at, { maxBidMicros: '1', pricing: 'cpc' })).toMatchObject({
    maxBidMicros: '9000000',
    pricing: 'cpm',
    proposal: { fields: ['pricing', 'maxBidMicros'] },
  })
})

test('free and house fields of a row belong to the house, whoever changes them', async () => {
  const { buyer, seller, advertiserId, campaign, personOf } = await aDesk()
  const { proposal } = await buyer.send('PATCH', `/campaigns/${campaign.id}`, {
    source: 'internal',
  })
  const picture = { title: 'Red', primaryImageUrl: 'https://cdn.example/a.png' }
  const evergreen = { ...picture, isEvergreenFallback: true }
  const refused = { http: 409, code: 'ADVERTISER_NOT_HOUSE' }

  expect(await seller.send('POST', `/proposals/${proposal.id}/accept`)).toMatchObject(refused)
  expect(await seller.send('GET', `/proposals/${proposal.id}`)).toMatchObject({ status: 'pending' })
  expect(await seller.send('POST', '/banners', { ...evergreen, advertiserId })).toMatchObject(
    refused,
  )
  const house = {
    accountId: seller.account.publicId,
    name: 'House',
    currency: 'EUR',
    isHouse: true,
  }
  const { id } = await seller.send('POST', '/advertisers', house)
  expect(await seller.send('POST', '/banners', { ...evergreen, advertiserId: id })).toMatchObject({
    http: 201,
    isEvergreenFallback: true,
  })
  expect(await seller.send('POST', '/advertisers', house)).toMatchObject({
    http: 409,
    code: 'HOUSE_ADVERTISER_EXISTS',
  })
  const theirs = { ...house, accountId: buyer.account.publicId }
  expect(await seller.send('POST', '/advertisers', theirs)).toMatchObject({
    http: 400,
    code: 'HOUSE_ADVERTISER_INVALID',
  })

  const publisher = await personOf('publisher')
  const own = { accountId: publisher.account.publicId, name: 'Gazette', currency: 'EUR' }
  const { id: publisherId } = await publisher.send('POST', '/publishers', own)
  const ofPublisher = {
    ...house,
    accountId: publisher.account.publicId,
    housePublisherId: publisherId,
  }
  const gazettes = await seller.send('POST', '/advertisers', ofPublisher)
  expect(gazettes).toMatchObject({ http: 201, isHouse: true, housePublisherId: publisherId })
  const stranger = await personOf('publisher')
  const away = { accountId: stranger.account.publicId, name: 'Herald', currency: 'EUR' }
  const { id: elsewhere } = await stranger.send('POST', '/publishers', away)
  const place = { publisherId: elsewhere, slug: 'away', label: 'Away', layoutType: 'full_static' }
  const { id: placementId } = await stranger.send('POST', '/placements', place)
  const letters = { advertiserId: gazettes.id, name: 'Letters', source: 'internal' }
  const made = await seller.send('POST', '/campaigns', letters)
  expect(
    await seller.send('POST', `/campaigns/${made.id}/placements`, { placementId }),
  ).toMatchObject({ http: 409, code: 'HOUSE_OF_ANOTHER_PUBLISHER' })
})

test('a buyer’s import with seller’s fields names them for each row and writes nothing', async () => {
  const { buyer, advertiserId } = await aDesk()
  const row = { advertiserId, name: 'Imported' }
  const answer = await buyer.send('POST', '/campaigns/import', {
    campaigns: [row, { ...row, priority: 3, source: 'internal' }],
  })

  expect(answer).toMatchObject({ http: 400, code: 'INVALID_REQUEST' })
  expect(answer.faults.map(({ path }) => path)).toEqual(
    expect.arrayContaining(['body/campaigns/1/priority', 'body/campaigns/1/source']),
  )
})

test('the platform is notified of a proposal, and its buyer of the decision', async () => {
  const { http, buyer, seller, campaign, personOf } = await aDesk()
  const operator = await personOf('operator')
  for (const person of [buyer, seller]) {
    const body = { name: 'We', mailTo: ['we@shop.example'], topics: ['proposals'] }
    const { id } = await person.send('POST', '/recipients', body)
    const { items } = await operator.send('POST', `/recipients/${id}/confirmation`)
    const linkToken = items[0]!.link.split('#')[1]
    await http.inject({
      method: 'POST',
      url: '/api/v1/recipients/confirm',
      payload: { linkToken },
    })
  }
  const { proposal } = await buyer.send('PATCH', `/campaigns/${campaign.id}`, { priority: 3 })
  const noticesOf = async (person: typeof buyer) => {
    const { items } = await person.send('GET', '/notices')
    return items.filter(({ topic }) => topic === 'proposals').length
  }

  expect([await noticesOf(buyer), await noticesOf(seller)]).toEqual([0, 1])
  await seller.send('POST', `/proposals/${proposal.id}/decline`, { reason: 'No' })
  expect(await noticesOf(buyer)).toBe(1)
})
