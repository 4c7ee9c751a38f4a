import type { Topic } from '@placard/contract/notices'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/connect.ts'
import type { Ids } from '../../platform/ids.ts'
import { Problem } from '../../platform/problem.ts'
import {
  type Actor,
  createRow,
  getRow,
  patchRow,
  type Target,
  type Values,
} from '../../platform/resources/index.ts'
import type { SecretBox } from '../../platform/secret-box.ts'
import type { LinkDeps } from '../accounts/index.ts'
import { requestConfirmations, shownTo } from './confirming.ts'
import { confirmedWays, type NoticeTopic, waysTo } from './notice.ts'
import { noticeProblems } from './problems.ts'
import { recipient } from './resources.ts'
import {
  addNotices,
  type Addressee,
  countRecipients,
  findAddressee,
  listInterested,
} from './store.ts'

export interface RecipientDeps extends LinkDeps {
  readonly secretBox: SecretBox
}

const SECRET_BYTES = 24
const RECIPIENTS_MAX = { platform: 50, other: 20 }

/**
 * Returns the webhook secret once, even for a recipient without a webhook address, because it may
 * get one later. Sends each address a confirmation request.
 */
export async function createRecipient(
  deps: RecipientDeps,
  { body, actor }: { readonly body: Values; readonly actor: Actor },
) {
  const { accountId, isPlatform } = actor.principal
  const most = isPlatform ? RECIPIENTS_MAX.platform : RECIPIENTS_MAX.other
  if ((await countRecipients(deps.db, accountId)) >= most) {
    throw new Problem(noticeProblems.tooManyRecipients, `There are ${most}.`)
  }
  const secret = `whsec_${Buffer.from(deps.random.bytes(SECRET_BYTES)).toString('base64')}`
  const extra = { sealedSecret: await deps.secretBox.seal(secret) }
  const record = await createRow(deps, recipient, { body, actor, extra })
  return { record, secret, confirmations: shownTo(actor, await requestConfirmations(deps, record)) }
}

/** A new address has not agreed, so it gets a confirmation request. */
export async function changeRecipient(
  deps: RecipientDeps,
  { body, ...target }: Target & { readonly body: Values },
): Promise<Values> {
  const before = await getRow(deps.db, recipient, target)
  const record = await patchRow(deps, recipient, { ...target, body })
  const [was, is] = [before, record].map((row) => JSON.stringify([row.mailTo, row.webhookUrl]))
  if (was !== is) await requestConfirmations(deps, record)
  return record
}

/** One message, in words for people and as data for programs. */
export interface Message {
  readonly topic: NoticeTopic
  /** Each recipient gets a key once per way. */
  readonly key: string
  readonly subject: string
  readonly words: string
  readonly data: Readonly<Record<string, unknown>>
  readonly attachment?: { readonly name: string; readonly content: Buffer }
}

export interface NotifyDeps {
  readonly db: Database
  readonly clock: Clock
  readonly ids: Ids
}

/**
 * Writes a notice for every recipient that subscribes to the topic. Runs in the caller's
 * transaction, so a rollback sends nothing.
 */
export async function notifyInterested(
  deps: NotifyDeps,
  message: Message & { readonly topic: Topic },
  accountId?: bigint,
): Promise<number> {
  const { topic } = message
  const interested = await listInterested(deps.db, { topic, accountId })
  return addNotices(
    deps.db,
    interested.flatMap((one) => noticesTo(deps, one, message)),
  )
}

/** Writes a notice for one recipient. Does nothing if it is archived or has not agreed. */
export async function notifyRecipient(
  deps: NotifyDeps,
  recipientKey: bigint,
  message: Message,
): Promise<number> {
  const found = await findAddressee(deps.db, recipientKey)
  return found ? addNotices(deps.db, noticesTo(deps, found, message)) : 0
}

function noticesTo({ clock, ids }: NotifyDeps, addressee: Addressee, message: Message) {
  const { key, attachment, ...content } = message
  const now = clock.now()
  return waysTo(confirmedWays(addressee)).map((way) => ({
    ...content,
    way,
    publicId: ids.next(),
    accountId: addressee.accountId,
    recipientId: addressee.id,
    toldKey: key,
    dueAt: now,
    createdAt: now,
    ...(attachment && { attachmentName: attachment.name, attachment: attachment.content }),
  }))
}
