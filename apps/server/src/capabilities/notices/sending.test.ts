import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { freshDatabase } from '../../testing/services/database.ts'
import { startMailServer } from '../../testing/services/mail-server.ts'
import { addAccount, depsOn } from '../../testing/world.ts'
import { startReceiver } from '../events-out/testing.ts'
import { notifyInterested, notifyRecipient } from './operations.ts'
import { noticesOn } from './testing.ts'

const MINUTE = 60_000

async function aTeam(options: { smtpUrl?: string } = {}) {
  const deps = depsOn(await freshDatabase())
  const account = await addAccount(deps, 'advertiser')
  return { deps, account, ...noticesOn(deps, options) }
}

const MESSAGE = {
  topic: 'under-delivery',
  key: 'alert:1',
  subject: 'Campaign delivers too little: Autumn',
  words: 'Only 1.00 EUR of 100.00 EUR is spent.',
  data: { campaignId: 'c' },
} as const

test('a mail goes to every address of the recipient, from our address, with its attachment', async () => {
  const { url: smtpUrl, mails } = await startMailServer()
  const { deps, account, addRecipient, sendDue, list } = await aTeam({ smtpUrl })
  const mailTo = ['ada@northwind.example', 'bob@northwind.example']
  const { record } = await addRecipient(account, { mailTo })

  const attachment = { name: 'report.csv', content: Buffer.from('day,clicks\r\n2026-06-01,7\r\n') }
  await notifyRecipient(deps, record.id as bigint, { ...MESSAGE, topic: 'report', attachment })
  await sendDue()

  expect(mails.map(({ to }) => to)).toEqual([mailTo])
  expect(mails[0]!.raw).toMatch(/From: Placard <ads@placard\.example>/)
  expect(mails[0]!.raw).toContain('Subject: Campaign delivers too little: Autumn')
  expect(mails[0]!.file).toBe('day,clicks\r\n2026-06-01,7\r\n')
  expect(await list()).toMatchObject([
    { topic: 'report', status: 'sent', attempts: 1, is_bare: true },
  ])
})

test('a call is signed with the recipient’s secret and keeps its id at every attempt', async () => {
  const answers = [503, 204, 204]
  const { url, calls } = await startReceiver(() => answers.shift() ?? 204)
  const { deps, account, addUnconfirmedRecipient, sendDue, tried } = await aTeam()
  const { secret } = await addUnconfirmedRecipient(account, {
    webhookUrl: url,
    topics: ['under-delivery'],
  })

  await sendDue()
  deps.clock.moveTo(new Date(deps.clock.now().getTime() + MINUTE).toISOString())
  await sendDue()
  await notifyInterested(deps, MESSAGE, account.id)
  await sendDue()

  expect(tried).toEqual(['webhook waiting', 'webhook sent', 'webhook sent'])
  const greetings = calls.filter(({ event }) => event.type === 'recipient.created.v1')
  expect(greetings).toHaveLength(2)
  expect(new Set(greetings.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  const alert = calls.find(({ event }) => event.type === 'alert.opened.v1')!
  expect(alert.event).toMatchObject({ data: { campaignId: 'c', words: MESSAGE.words } })
  const seconds = Number(alert.headers['webhook-timestamp'])
  const signed = new Webhook(secret).sign(
    String(alert.headers['webhook-id']),
    new Date(seconds * 1_000),
    alert.body,
  )
  expect(alert.headers['webhook-signature']).toBe(signed)
})

test('an address inside our own network is not called', async () => {
  const { url } = await startReceiver()
  const { account, addUnconfirmedRecipient, sendDue, list } = await aTeam()
  await addUnconfirmedRecipient(account, { webhookUrl: url.replace('localhost', '127.0.0.1') })

  await sendDue()

  expect(await list()).toMatchObject([{ status: 'waiting', attempts: 1 }])
})

test('a recipient gets each key once, and only of topics it subscribes to and of its own account', async () => {
  const { deps, account, addRecipient, list } = await aTeam()
  const other = await addAccount(deps, 'advertiser')
  const platform = await addAccount(deps, 'platform')
  const mailTo = ['ada@northwind.example']
  for (const owner of [account, other, platform]) {
    await addRecipient(owner, { mailTo, topics: ['under-delivery'] })
  }
  await addRecipient(account, { mailTo, topics: ['sync-failing'] })

  const first = await notifyInterested(deps, MESSAGE, account.id)
  const again = await notifyInterested(deps, MESSAGE, account.id)

  expect([first, again]).toEqual([2, 0])
  expect(await list()).toHaveLength(2)
})

test('a refused mail is tried again, and fails for good after eight attempts', async () => {
  const { url: smtpUrl, mails } = await startMailServer(() => 'The box is full')
  const { deps, account, addRecipient, sendDue, list } = await aTeam({ smtpUrl })
  const { record } = await addRecipient(account, { mailTo: ['ada@northwind.example'] })
  await notifyRecipient(deps, record.id as bigint, MESSAGE)

  for (let round = 0; round < 10; round++) {
    await sendDue()
    deps.clock.moveTo(new Date(deps.clock.now().getTime() + 300 * MINUTE).toISOString())
  }

  expect(mails).toEqual([])
  const [notice] = await list()
  expect(notice).toMatchObject({ status: 'failed', attempts: 8 })
  expect(notice!['last_error']).toContain('The box is full')
})

test('without a mail server a notice says why it is not sent', async () => {
  const { deps, account, addRecipient, sendDue, list } = await aTeam()
  const { record } = await addRecipient(account, { mailTo: ['ada@northwind.example'] })
  await notifyRecipient(deps, record.id as bigint, MESSAGE)

  await sendDue()

  expect(await list()).toMatchObject([
    { status: 'waiting', last_error: expect.stringContaining('SMTP_URL') },
  ])
})

test('a mail whose process died is not sent again, a call is', async () => {
  const { url: smtpUrl, mails } = await startMailServer()
  const { url: webhookUrl, calls } = await startReceiver()
  const { deps, account, addRecipient, sendDue, list } = await aTeam({ smtpUrl })
  const { record } = await addRecipient(account, {
    mailTo: ['ada@northwind.example'],
    webhookUrl,
  })
  await notifyRecipient(deps, record.id as bigint, MESSAGE)
  await deps.db.execute(`update notices set status = 'sending', attempts = 1`)

  deps.clock.moveTo(new Date(deps.clock.now().getTime() + 20 * MINUTE).toISOString())
  await sendDue()

  expect(mails).toEqual([])
  expect(calls).toHaveLength(1)
  expect(await list()).toMatchObject([
    { way: 'mail', status: 'failed', last_error: expect.stringContaining('may have arrived') },
    { way: 'webhook', status: 'sent' },
  ])
})

test('only platform recipients get notices of reviews, and a recipient has at least one way', async () => {
  const { account, addRecipient } = await aTeam()
  const mailTo = ['ada@northwind.example']

  await expect(addRecipient(account, { mailTo, topics: ['geo-review'] })).rejects.toThrow(
    'geo-review',
  )
  await expect(addRecipient(account, {})).rejects.toThrow('Add at least one')
})

const MAIL_TO = ['ada@northwind.example', 'bob@northwind.example']

test('an address gets no notice before it agrees, and one address does not agree for another', async () => {
  const { deps, account, addUnconfirmedRecipient, confirm, list } = await aTeam()
  const { record, confirmations } = await addUnconfirmedRecipient(account, { mailTo: MAIL_TO })
  const tell = (key: string) => notifyRecipient(deps, record.id as bigint, { ...MESSAGE, key })

  const before = await tell('before')
  await confirm(confirmations[1]!.link!)
  const after = await tell('after')

  expect([before, after]).toEqual([0, 1])
  expect(await list()).toHaveLength(1)
  const { rows } = await deps.db.execute('select confirmed_mail from recipients')
  expect(rows).toEqual([{ confirmed_mail: ['bob@northwind.example'] }])
})

test('without mail only an operator is shown the link, so nobody agrees in another’s place', async () => {
  const { account, addUnconfirmedRecipient } = await aTeam()
  const mailTo = ['stranger@bystander.example']

  const own = await addUnconfirmedRecipient(account, { mailTo }, ['reports:write'])
  const operators = await addUnconfirmedRecipient(account, { mailTo })

  expect(own.confirmations).toMatchObject([{ sentTo: null, link: null }])
  expect(operators.confirmations).toMatchObject([{ link: expect.stringContaining('#') }])
})

test('a recipient’s link works once, for a day, and only its hash is stored', async () => {
  const { deps, account, addUnconfirmedRecipient, confirm } = await aTeam()
  const { confirmations } = await addUnconfirmedRecipient(account, { mailTo: MAIL_TO })
  const [used, late] = confirmations.map(({ link }) => link!)
  await confirm(used!)

  await expect(confirm(used!)).rejects.toThrow('Request a new one')
  deps.clock.advance(25 * 60 * 60)
  await expect(confirm(late!)).rejects.toThrow('Request a new one')
  const { rows } = await deps.db.execute('select * from recipient_links')
  const kept = rows.map((row) => `${Object.values(row).join()} ${String(row['token_hash'])}`).join()
  for (const link of [used!, late!]) expect(kept).not.toContain(link.split('#')[1])
})

test('a webhook address that refuses its first call gets no notice', async () => {
  const { url, calls } = await startReceiver(() => 403)
  const { deps, account, addUnconfirmedRecipient, sendDue } = await aTeam()
  await addUnconfirmedRecipient(account, { webhookUrl: url, topics: ['under-delivery'] })
  await sendDue()

  expect(await notifyInterested(deps, MESSAGE, account.id)).toBe(0)
  expect(calls).toHaveLength(1)
})
