import { expect, test } from 'vitest'
import { aHistory } from '../../../testing/worlds/history.ts'
import { startMailServer } from '../../../testing/services/mail-server.ts'
import { actorOf } from '../../../testing/world.ts'
import { createRow, type Values } from '../../../platform/resources/index.ts'
import { noticesOn } from '../../notices/testing.ts'
import { answerReport } from '../operations.ts'
import { answerSaved, sendDueReports, sendSoon } from './operations-saved.ts'
import { savedReport } from '../resources.ts'

const QUESTION = {
  dimensions: ['campaign'],
  metrics: ['impressions', 'clicks', 'spendMicros'],
  period: 'last-7-days',
}
const { signal } = new AbortController()

async function aSavedReport(body: Values = {}) {
  const history = await aHistory({ events: 200 })
  await history.addAll()
  const { deps, accountId } = history
  const account = { id: accountId, kind: 'advertiser' }
  const mail = await startMailServer()
  const notices = noticesOn(deps, { smtpUrl: mail.url })
  const { record } = await notices.addRecipient(account, { mailTo: ['ada@northwind.example'] })
  await notices.sendDue()
  const actor = actorOf(account)
  const report = await createRow(deps, savedReport, {
    body: {
      name: 'Weekly',
      question: QUESTION,
      recipientId: record.publicId,
      every: 'day',
      ...body,
    },
    actor,
  })
  const target = { publicId: String(report.publicId), actor }
  return { ...history, ...mail, notices, report, target, own: account.id }
}

const read = async ({ db }: { db: Awaited<ReturnType<typeof aSavedReport>>['db'] }) =>
  (await db.execute('select next_due_at, last_sent_at, failures, failure from saved_reports'))
    .rows[0]

test('a report is mailed at its time, once, with the figures of its own account only', async () => {
  const world = await aSavedReport()
  const { deps, mails, notices, campaigns, pool } = world
  expect(world.report.nextDueAt).toEqual(new Date('2026-06-16T06:00:00Z'))
  expect(await sendDueReports(deps, signal)).toBe(0)

  deps.clock.moveTo('2026-06-16T06:01:00Z')
  expect(await sendDueReports(deps, signal)).toBe(1)
  expect(await sendDueReports(deps, signal)).toBe(0)
  await notices.sendDue()

  const sent = mails
  expect(sent).toHaveLength(1)
  const { rows } = await pool.query('select public_id from campaigns where id = $1', [
    campaigns[2]!.key,
  ])
  expect(sent[0]!.file).not.toContain(rows[0].public_id)
  const scope = { kind: 'advertiser', accountId: world.own } as const
  const query = { ...QUESTION, from: '2026-06-09', to: '2026-06-15' } as never
  const answer = await answerReport(deps.db, query, scope)
  expect(sent[0]!.file!.trim().split('\r\n')).toHaveLength(1 + answer.rows.length)
  expect(sent[0]!.file).toContain(String(answer.rows[0]!['spendMicros' as never]))
  expect(String((await read(world))!['next_due_at'])).toContain('2026-06-17 06:00')
})

test('a saved report can be read and sent at any time, and is not sent without a recipient', async () => {
  const world = await aSavedReport({ every: null })
  const { deps, mails, notices, target } = world

  expect((await answerSaved(deps, target)).rows.length).toBeGreaterThan(0)
  await sendSoon(deps, target)
  await sendDueReports(deps, signal)
  await notices.sendDue()

  expect(mails).toHaveLength(1)
  expect((await read(world))!['next_due_at']).toBeNull()
  await deps.db.execute('update saved_reports set recipient_id = null')
  await expect(sendSoon(deps, target)).rejects.toThrow('recipient')
})

test('a report that fails is tried again, then at its next time, and shows the reason', async () => {
  const world = await aSavedReport()
  const { deps } = world
  await deps.db.execute(
    `update saved_reports set question = question || '{"metrics": ["nonsense"]}'`,
  )

  for (let round = 0; round < 4; round++) {
    deps.clock.moveTo(`2026-06-16T0${6 + round}:30:00Z`)
    await sendDueReports(deps, signal)
  }

  const { failure, next_due_at: nextDueAt } = (await read(world))!
  expect(failure).toBeTypeOf('string')
  expect(String(nextDueAt)).toContain('2026-06-17 06:00')
})

test.each([
  ['readers by country', { metrics: ['reach'], dimensions: ['country'] }, 'REPORT_REACH_REFUSED'],
  ['rows in an order they do not show', { sort: [{ by: 'ctr' }] }, 'REPORT_SORT_UNKNOWN'],
])('an invalid report is not stored: %s', async (_, changed, code) => {
  const keeping = aSavedReport({ question: { ...QUESTION, ...changed } })

  await expect(keeping).rejects.toMatchObject({ kind: { code } })
})
