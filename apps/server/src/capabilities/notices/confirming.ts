import { DAY_MS } from '@placard/calendar'
import { Problem } from '../../platform/problem.ts'
import { getRow, type Target, type Values } from '../../platform/resources/index.ts'
import {
  auditNobody,
  type HandedLink,
  handLink,
  hashSecret,
  type LinkDeps,
  newLinkToken,
} from '../accounts/index.ts'
import { unconfirmedWays, type Ways } from './notice.ts'
import { noticeProblems } from './problems.ts'
import { recipient } from './resources.ts'
import { addNotices } from './store.ts'
import {
  addRecipientLink,
  confirmAddress,
  countAsked,
  lockRecipientLink,
  voidRecipientLinks,
} from './store-links.ts'

/** How long a link works, and the time over which an account's questions are counted. */
const LIFE_MS = DAY_MS
const ASKED_PER_DAY_MAX = 100

type RecipientRow = Values &
  Ways & {
    readonly id: bigint
    readonly publicId: string
    readonly accountId: bigint
    readonly name: string
    readonly topics: readonly string[]
  }

/** Asks every address of a recipient that has not agreed: a mail with a link, or a first call. */
export async function askUnconfirmed(deps: LinkDeps, row: Values): Promise<HandedLink[]> {
  const { id, mailTo, webhookUrl, accountId } = {
    ...(row as RecipientRow),
    ...unconfirmedWays(row as RecipientRow),
  }
  const now = deps.clock.now()
  const asked = await countAsked(deps.db, accountId, new Date(now.getTime() - DAY_MS))
  const asks = mailTo.length + (webhookUrl === null ? 0 : 1)
  if (asks > 0 && asked + asks > ASKED_PER_DAY_MAX) {
    const detail = `${asked} were asked in the last 24 hours; at most ${ASKED_PER_DAY_MAX} are.`
    throw new Problem(noticeProblems.tooManyAsked, detail)
  }
  await voidRecipientLinks(deps.db, { recipientId: id, addresses: mailTo, at: now })
  const handed: HandedLink[] = []
  for (const address of mailTo) handed.push(await askByMail(deps, row as RecipientRow, address))
  if (webhookUrl !== null) await greet(deps, row as RecipientRow)
  return handed
}

async function askByMail(deps: LinkDeps, row: RecipientRow, address: string): Promise<HandedLink> {
  const now = deps.clock.now()
  const expiresAt = new Date(now.getTime() + LIFE_MS)
  const { token, tokenHash } = newLinkToken(deps.random)
  await addRecipientLink(deps.db, {
    accountId: row.accountId,
    recipientId: row.id,
    address,
    tokenHash,
    createdAt: now,
    expiresAt,
  })
  const words = (link: string) => ({
    subject: 'Do you want notices of Placard?',
    text: `Somebody wants to send reports and alerts of Placard to ${address}.\n\nIf you want them, confirm it here within a day:\n${link}\n\nIf not, do nothing: nothing else is sent to you.\n`,
  })
  return handLink(deps, { page: '/confirm-recipient', token, to: address, expiresAt, words })
}

/** The first call. Whoever answers it with 2xx is told what follows. */
async function greet({ db, clock, ids }: LinkDeps, row: RecipientRow): Promise<void> {
  const now = clock.now()
  const publicId = ids.next()
  await addNotices(db, [
    {
      way: 'webhook',
      topic: 'greeting',
      toldKey: `greeting:${publicId}`,
      subject: `${row.name} is told from now on`,
      words: 'Reports and alerts of Placard come this way once this call is answered with 2xx.',
      data: { recipientId: row.publicId, name: row.name, topics: row.topics },
      publicId,
      accountId: row.accountId,
      recipientId: row.id,
      dueAt: now,
      createdAt: now,
    },
  ])
}

/** Asks again whoever has not agreed; earlier links no longer work. */
export async function askAgain(deps: LinkDeps, target: Target): Promise<HandedLink[]> {
  const row = await getRow(deps.db, recipient, target)
  await deps.audit(deps.db, {
    actor: target.actor,
    accountId: row.accountId as bigint,
    action: 'recipient.ask-again',
    entity: 'recipient',
    entityId: target.publicId,
    after: unconfirmedWays(row as RecipientRow),
  })
  return askUnconfirmed(deps, row)
}

/** Somebody with the link says yes for the address it was sent to. */
export function confirmRecipient(deps: LinkDeps, token: string): Promise<string> {
  return deps.db.transaction(async (db) => {
    const link = await lockRecipientLink(db, hashSecret(token))
    const now = deps.clock.now()
    const isGood =
      link && !link.usedAt && link.expiresAt > now && link.mailTo.includes(link.address)
    if (!isGood) throw new Problem(noticeProblems.linkRefused, 'Ask for a new one.')
    await confirmAddress(db, link, now)
    await auditNobody(deps, db, {
      accountId: link.accountId,
      action: 'recipient.confirm',
      entity: 'recipient',
      entityId: link.publicId,
      after: { address: link.address },
    })
    return link.address
  })
}
