import type { Topic } from '@placard/contract/notices'
import { and, count, eq, sql } from 'drizzle-orm'
import type { Database } from '../../platform/database/connect.ts'
import type { NoticeTopic, Way, Ways } from './notice.ts'
import { notices, recipients } from './tables.ts'

export async function countRecipients(db: Database, accountId: bigint): Promise<number> {
  const [row] = await db
    .select({ count: count() })
    .from(recipients)
    .where(eq(recipients.accountId, accountId))
  return row!.count
}

export async function isPlatformAccount(db: Database, accountId: bigint): Promise<boolean> {
  const { rows } = await db.execute(
    sql`select 1 from accounts where id = ${`${accountId}`}::bigint and kind = 'platform'`,
  )
  return rows.length > 0
}

export interface Addressee extends Ways {
  readonly id: bigint
  readonly accountId: bigint
}

const ADDRESSEE = {
  id: recipients.id,
  accountId: recipients.accountId,
  mailTo: recipients.mailTo,
  webhookUrl: recipients.webhookUrl,
  confirmedMail: recipients.confirmedMail,
  confirmedWebhook: recipients.confirmedWebhook,
}

/** Recipients that subscribe to the topic: of the account in question, and of the platform. */
export function listInterested(
  db: Database,
  { topic, accountId }: { readonly topic: Topic; readonly accountId: bigint | undefined },
): Promise<Addressee[]> {
  const account = accountId === undefined ? null : `${accountId}`
  return db
    .select(ADDRESSEE)
    .from(recipients)
    .where(
      and(
        eq(recipients.isActive, true),
        sql`${topic} = any (${recipients.topics})`,
        sql`(${recipients.accountId} = ${account}::bigint
          or ${recipients.accountId} in (select id from accounts where kind = 'platform'))`,
      ),
    )
    .orderBy(recipients.id)
    .limit(ADDRESSEES_MAX)
}

const ADDRESSEES_MAX = 200

export async function findAddressee(db: Database, key: bigint): Promise<Addressee | undefined> {
  const [found] = await db
    .select(ADDRESSEE)
    .from(recipients)
    .where(and(eq(recipients.id, key), eq(recipients.isActive, true)))
  return found
}

/** A recipient that already got this key is skipped. */
export async function addNotices(
  db: Database,
  rows: readonly (typeof notices.$inferInsert)[],
): Promise<number> {
  if (rows.length === 0) return 0
  const added = await db
    .insert(notices)
    .values([...rows])
    .onConflictDoNothing({ target: [notices.recipientId, notices.way, notices.toldKey] })
    .returning({ id: notices.id })
  return added.length
}

export interface DueNotice {
  readonly key: string
  readonly id: string
  readonly way: Way
  readonly topic: NoticeTopic
  readonly subject: string
  readonly words: string
  readonly data: Readonly<Record<string, unknown>>
  readonly attachmentName: string | null
  readonly attachment: Buffer | null
  readonly attempts: number
  readonly createdAt: Date
  readonly mailTo: readonly string[]
  readonly webhookUrl: string | null
  readonly sealedSecret: string
}

/**
 * Claims one due notice. A call that a process began and never ended is repeated, because receivers
 * recognise its id. A mail is not repeated: it may have arrived.
 */
export async function claimNotice(
  db: Database,
  { now, leaseUntil }: { readonly now: Date; readonly leaseUntil: Date },
): Promise<DueNotice | undefined> {
  const { rows } = await db.execute(sql`
    update notices n
       set status = 'sending', attempts = n.attempts + 1, due_at = ${leaseUntil.toISOString()}::timestamptz
      from recipients r
     where r.id = n.recipient_id and n.id = (
       select id from notices
        where status in ('waiting', 'sending') and due_at <= ${now.toISOString()}::timestamptz
          and (status = 'waiting' or way = 'webhook')
        order by due_at, id limit 1 for update skip locked)
    returning n.id::text as key, n.public_id as id, n.way, n.topic, n.subject, n.words, n.data,
              n.attachment_name as "attachmentName", n.attachment, n.attempts, n.created_at as "createdAt",
              array(select address from unnest(r.mail_to) address
                     where address = any (r.confirmed_mail)) as "mailTo",
              case when n.topic = 'greeting' or r.webhook_url = r.confirmed_webhook then r.webhook_url end
                as "webhookUrl", r.sealed_secret as "sealedSecret"`)
  const [row] = rows
  return (
    row && ({ ...row, createdAt: new Date(row['createdAt'] as string) } as unknown as DueNotice)
  )
}

export interface NoticeOutcome {
  readonly key: string
  readonly status: 'waiting' | 'sent' | 'failed'
  readonly dueAt: Date
  readonly error: string | null
  readonly now: Date
}

export async function saveOutcome(db: Database, outcome: NoticeOutcome): Promise<void> {
  const { key, status, dueAt, error, now } = outcome
  const isOver = status !== 'waiting'
  await db
    .update(notices)
    .set({
      status,
      dueAt,
      lastError: error,
      ...(isOver && { finishedAt: now, attachment: null }),
    })
    .where(and(eq(notices.id, BigInt(key)), eq(notices.status, 'sending')))
}

/** Accepting the greeting confirms the address, unless it was changed meanwhile. */
export async function confirmWebhook(
  db: Database,
  { key, url, now }: { readonly key: string; readonly url: string; readonly now: Date },
): Promise<void> {
  await db.execute(sql`
    update recipients r set confirmed_webhook = r.webhook_url, version = r.version + 1,
           updated_at = ${now.toISOString()}::timestamptz
      from notices n where n.id = ${key}::bigint and r.id = n.recipient_id and r.webhook_url = ${url}`)
}

/** Fails mails whose process died while sending them. */
export async function giveUpLostMails(db: Database, now: Date, reason: string): Promise<number> {
  const { rowCount } = await db.execute(sql`
    update notices set status = 'failed', attachment = null, last_error = ${reason},
           finished_at = ${now.toISOString()}::timestamptz
     where status = 'sending' and way = 'mail' and due_at <= ${now.toISOString()}::timestamptz`)
  return rowCount ?? 0
}

const TRIMMED_AT_ONCE = 10_000

export async function trimNotices(db: Database, before: Date): Promise<number> {
  const { rowCount } = await db.execute(sql`
    delete from notices where id in (
      select id from notices where finished_at < ${before.toISOString()}::timestamptz limit ${TRIMMED_AT_ONCE})`)
  return rowCount ?? 0
}

/** When the oldest waiting notice became due. */
export async function findOldestWaiting(db: Database): Promise<Date | undefined> {
  const { rows } = await db.execute<{ due_at: string }>(sql`
    select due_at from notices where status = 'waiting' order by due_at limit 1`)
  return rows[0] && new Date(rows[0].due_at)
}
