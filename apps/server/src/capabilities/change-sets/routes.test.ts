import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { createRow } from '../../platform/resources/index.ts'
import { addUser, signInAs, startServer } from '../../testing/server.ts'
import { actorOf } from '../../testing/world.ts'
import { importCampaigns } from '../campaigns/index.ts'
import { campaignEvents, advertiser } from '../campaigns/index.ts'
import { workThrough } from './work.ts'

const API = '/api/v1/admin'

interface Row {
  name: string
  outcome: string
  reason: string | null
  changes: { field: string; from: unknown; to: unknown }[]
}
type Body = Record<string, unknown> & {
  changed: number
  id: string
  items: Row[]
  faults: object[]
}

/** Ad operations, a buyer with three campaigns of 10 euro a day, and what they send. */
async function aDesk() {
  const server = await startServer()
  const { http, deps } = server
  const personOf = async (role: 'advertiser' | 'ad-ops' | 'publisher') => {
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
    return { ...user, send }
  }
  const buyer = await personOf('advertiser')
  const seller = await personOf('ad-ops')
  const actor = actorOf({ ...buyer.account, kind: 'advertiser' })
  const house = { accountId: buyer.account.publicId, name: 'Northwind', currency: 'EUR' }
  const owner = await createRow(deps, advertiser, { body: house, actor })
  const addCampaigns = (count: number) =>
    importCampaigns(deps, {
      bodies: Array.from({ length: count }, (_, n) => ({
        advertiserId: owner['publicId'],
        name: `Sale ${n}`,
        maxBidMicros: '5000000',
        budgetDailyMicros: '10000000',
      })),
      actor,
    })
  const ids = await addCampaigns(3)
  const rowsOf = async (set: Body) =>
    (await seller.send('GET', `/change-sets/${set.id}/rows?limit=200`)).items
  const campaign = (id: string) => seller.send('GET', `/campaigns/${id}`)
  return { ...server, buyer, seller, ids, addCampaigns, rowsOf, campaign }
}

const raise = { budgetDaily: { percent: 10 } }

test('a draft shows each change and each refusal and changes nothing; publishing makes the changes, undo takes them back as one', async () => {
  const { seller, ids, rowsOf, campaign } = await aDesk()
  const [first, second, third] = ids
  await seller.send('POST', `/campaigns/${second}/activate`)
  await seller.send('POST', `/campaigns/${third}/activate`)
  await seller.send('POST', `/campaigns/${third}/end`)

  const draft = await seller.send('POST', '/change-sets', {
    campaigns: { ids },
    edit: { move: 'pause' },
  })
  expect(draft).toMatchObject({ http: 201, state: 'draft', title: 'Pause', rows: 3, ready: 1 })
  expect((await rowsOf(draft)).map(({ outcome }) => outcome).toSorted()).toEqual([
    'ready',
    'refused',
    'refused',
  ])
  expect(await rowsOf(draft)).toContainEqual(
    expect.objectContaining({
      name: 'Sale 2',
      reason:
        'The campaign cannot change to that state: From ended to paused. The state does not allow it.',
    }),
  )
  expect(await campaign(second!)).toMatchObject({ status: 'active', version: 2 })

  const published = await seller.send('POST', `/change-sets/${draft.id}/publish`)
  expect(published).toMatchObject({ http: 200, state: 'published', changed: 1, refused: 2 })
  expect(await campaign(second!)).toMatchObject({ status: 'paused' })
  expect(await campaign(first!)).toMatchObject({ status: 'draft' })

  const undone = await seller.send('POST', `/change-sets/${draft.id}/undo`)
  expect(undone).toMatchObject({ http: 200, state: 'undone', undone: 1, kept: 0 })
  expect(await campaign(second!)).toMatchObject({ status: 'active' })
  expect(await seller.send('POST', `/change-sets/${draft.id}/publish`)).toMatchObject({
    http: 409,
    code: 'CHANGE_SET_NOT_NOW',
  })
})

test('publishing refuses a row that changed after the preview, and undo keeps one that changed after publishing', async () => {
  const { seller, ids, rowsOf, campaign } = await aDesk()
  const draft = await seller.send('POST', '/change-sets', {
    campaigns: { filter: { status: 'draft' } },
    edit: { ...raise, endsAt: '2030-02-01T00:00:00Z' },
  })
  expect(draft).toMatchObject({ title: 'Daily budget +10 %, End 2030-02-01', ready: 3 })
  await seller.send('PATCH', `/campaigns/${ids[0]}`, { name: 'Renamed' })
  expect(await seller.send('POST', `/change-sets/${draft.id}/publish`)).toMatchObject({
    changed: 2,
    refused: 1,
  })
  expect(await campaign(ids[0]!)).toMatchObject({ budgetDailyMicros: '10000000', endsAt: null })
  expect(await campaign(ids[1]!)).toMatchObject({ budgetDailyMicros: '11000000' })

  await seller.send('PATCH', `/campaigns/${ids[1]}`, { name: 'Renamed too' })
  expect(await seller.send('POST', `/change-sets/${draft.id}/undo`)).toMatchObject({
    undone: 1,
    kept: 1,
  })
  expect((await rowsOf(draft)).map(({ outcome, reason }) => [outcome, reason])).toEqual(
    expect.arrayContaining([
      ['refused', 'Somebody changed it since.'],
      ['kept', 'Somebody changed it since.'],
      ['undone', null],
    ]),
  )
  expect(await campaign(ids[1]!)).toMatchObject({ budgetDailyMicros: '11000000' })
  expect(await campaign(ids[2]!)).toMatchObject({ budgetDailyMicros: '10000000', endsAt: null })
})

test('undo restores every field of each row as it was, whatever the edit was', async () => {
  const { seller, ids, campaign } = await aDesk()
  for (const id of ids) {
    await seller.send('PATCH', `/campaigns/${id}`, { startsAt: '2030-01-01T00:00:00Z' })
  }
  await seller.send('POST', `/campaigns/${ids[1]}/schedule`)
  const read = async () =>
    Promise.all(
      ids.map(async (id) => ({ ...(await campaign(id)), version: 0, updatedAt: undefined })),
    )
  const before = await read()
  const edits = [
    { move: 'activate' },
    { move: 'cancel' },
    { archive: true },
    { maxBid: { setMicros: '7000000', currency: 'EUR' } },
    { budgetTotal: { setMicros: '70000000', currency: 'EUR' }, shiftDays: 7 },
    { budgetDaily: { setMicros: null } },
    { addLabels: ['cars', 'boats'] },
  ]
  for (const edit of edits) {
    const draft = await seller.send('POST', '/change-sets', { campaigns: { ids }, edit })
    const { changed } = await seller.send('POST', `/change-sets/${draft.id}/publish`)
    expect([edit, changed]).not.toEqual([edit, 0])
    expect(await read()).not.toEqual(before)
    expect(await seller.send('POST', `/change-sets/${draft.id}/undo`)).toMatchObject({
      undone: changed,
      kept: 0,
    })
    expect(await read()).toEqual(before)
  }
})

test('a buyer changes its own campaigns only, and sees its own sets only', async () => {
  const { buyer, seller, ids } = await aDesk()
  const stranger = await aStranger(seller)
  expect(stranger).toMatchObject({ http: 201, rows: 3 })
  expect(await buyer.send('GET', `/change-sets/${stranger.id}`)).toMatchObject({ http: 404 })
  expect(await buyer.send('POST', `/change-sets/${stranger.id}/publish`)).toMatchObject({
    http: 404,
  })
  const own = await buyer.send('POST', '/change-sets', {
    campaigns: { filter: {} },
    edit: raise,
  })
  expect(own).toMatchObject({ http: 201, rows: 3, ready: 3 })
  const unknown = ids[0]!.replace(/.$/, (last) => (last === '0' ? '1' : '0'))
  expect(
    await buyer.send('POST', '/change-sets', { campaigns: { ids: [unknown] }, edit: raise }),
  ).toMatchObject({ http: 404, code: 'CAMPAIGN_NOT_FOUND' })
})

const aStranger = (seller: { send: (...given: ['POST', string, object]) => Promise<Body> }) =>
  seller.send('POST', '/change-sets', { campaigns: { filter: {} }, edit: raise })

test('an edit that contradicts itself is refused with every fault, and an amount in another currency row by row', async () => {
  const { seller, ids, rowsOf } = await aDesk()
  const campaigns = { ids }
  expect(
    await seller.send('POST', '/change-sets', {
      campaigns,
      edit: { move: 'pause', archive: true, budgetDaily: { setMicros: '5', percent: 3 } },
    }),
  ).toMatchObject({ http: 400, faults: [{ path: 'body/edit' }, { path: 'body/edit/budgetDaily' }] })
  expect(
    await seller.send('POST', '/change-sets', {
      campaigns,
      edit: { budgetDaily: { setMicros: '5' } },
    }),
  ).toMatchObject({ http: 400, faults: [{ message: 'needs the currency of setMicros' }] })
  expect(await seller.send('POST', '/change-sets', { campaigns: {}, edit: raise })).toMatchObject({
    http: 400,
  })
  const foreign = await seller.send('POST', '/change-sets', {
    campaigns,
    edit: { budgetDaily: { setMicros: '5000000', currency: 'USD' } },
  })
  expect(foreign).toMatchObject({ refused: 3 })
  expect((await rowsOf(foreign))[0]!.reason).toBe(
    'Daily budget: the amount is in USD, the campaign in EUR.',
  )
})

test('a long set that ended early is finished by a later run, each row once, as its author with the permissions of that time', async () => {
  const { seller, deps, addCampaigns, rowsOf } = await aDesk()
  await addCampaigns(20)
  const draft = await seller.send('POST', '/change-sets', {
    campaigns: { filter: {} },
    edit: raise,
  })
  const worker = { ...deps, events: campaignEvents(deps.ids) }
  await deps.db.execute(sql`update change_sets set state = 'publishing'`)
  let looks = 0
  const signal = { throwIfAborted: () => void (looks++ === 7 && fail()) } as AbortSignal
  await expect(workThrough(worker, { publicId: draft.id, signal })).rejects.toThrow('stopped')
  await workThrough(worker, { publicId: draft.id })
  expect(await seller.send('GET', `/change-sets/${draft.id}`)).toMatchObject({
    state: 'published',
    changed: 23,
  })
  expect((await rowsOf(draft))[0]!.changes).toEqual([
    { field: 'budgetDailyMicros', from: '10000000', to: '11000000' },
  ])

  await deps.db.execute(sql`update change_sets set state = 'undoing'`)
  await deps.db.execute(sql`update users set is_active = false where role = 'ad-ops'`)
  await workThrough(worker, { publicId: draft.id })
  const { rows } = await deps.db.execute(sql`select distinct outcome, reason from change_set_rows`)
  expect(rows).toEqual([{ outcome: 'kept', reason: 'The author may no longer change campaigns.' }])
})

function fail(): never {
  throw new Error('stopped')
}
