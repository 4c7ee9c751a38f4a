import { DAY_MS } from '@placard/calendar'
import { Problem } from '../../platform/problem.ts'
import { type Actor, getRow, type Target, type Values } from '../../platform/resources/index.ts'
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
  countConfirmationRequests,
  lockRecipientLink,
  voidRecipientLinks,
} from './store-links.ts'

/** How long a link is valid, and the window of the limit on confirmation requests. */
const LIFE_MS = DAY_MS
const REQUESTS_PER_DAY_MAX = 100

type RecipientRow = Values &
  Ways & {
    readonly id: bigint
    readonly publicId: string
    readonly accountId: bigint
    readonly name: string
    readonly topics: readonly string[]
  }

/**
 * Without mail an operator passes the link on. Whoever entered the address does not see it, and so
 * cannot agree in somebody else's place.
 */
export const shownTo = ({ principal }: Actor, links: readonly HandedLink[]): HandedLink[] =>
  links.map((one) => (principal.permissions.has('users:write') ? one : { ...one, link: null }))

/**
 * Requests consent from every unconfirmed address of a recipient: by a mail with a link, or by a
 * first call.
 */
export async function requestConfirmations(deps: LinkDeps, row: Values): Promise<HandedLink[]> {
  const { id, mailTo, webhookUrl, accountId } = {
    ...(row as RecipientRow),
    ...unconfirmedWays(row as RecipientRow),
  }
  const now = deps.clock.now()
  const requested = await countConfirmationRequests(
    deps.db,
    accountId,
    new Date(now.getTime() - DAY_MS),
  )
  const asks = mailTo.length + (webhookUrl === null ? 0 : 1)
  if (asks > 0 && requested + asks > REQUESTS_PER_DAY_MAX) {
    const detail = `${requested} addresses got a request in the last 24 hours. The limit is ${REQUESTS_PER_DAY_MAX}.`
    throw new Problem(noticeProblems.tooManyRequests, detail)
  }
  await voidRecipientLinks(deps.db, { recipientId: id, addresses: mailTo, at: now })
  const handed: HandedLink[] = []
  for (const address of mailTo) handed.push(await requestByMail(deps, row as RecipientRow, address))
  if (webhookUrl !== null) await greet(deps, row as RecipientRow)
  return handed
}

async function requestByMail(
  deps: LinkDeps,
  row: RecipientRow,
  address: string,
): Promise<HandedLink> {
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
    subject: 'Confirm notices from Placard',
    text: `Someone wants to send reports and alerts from Placard to ${address}.\n\nTo receive them, confirm within 24 hours:\n${link}\n\nIf you do not want them, ignore this mail. We will send you nothing else.\n`,
  })
  return handLink(deps, { page: '/confirm-recipient', token, to: address, expiresAt, words })
}

/** The first call. An endpoint that answers with 2xx agrees to receive notices. */
async function greet({ db, clock, ids }: LinkDeps, row: RecipientRow): Promise<void> {
  const now = clock.now()
  const publicId = ids.next()
  await addNotices(db, [
    {
      way: 'webhook',
      topic: 'greeting',
      toldKey: `greeting:${publicId}`,
      subject: `Confirm notices for ${row.name}`,
      words:
        'Answer this call with 2xx to receive reports and alerts from Placard at this address.',
      data: { recipientId: row.publicId, name: row.name, topics: row.topics },
      publicId,
      accountId: row.accountId,
      recipientId: row.id,
      dueAt: now,
      createdAt: now,
    },
  ])
}

/** Sends new requests to the unconfirmed addresses. Earlier links stop working. */
export async function resendConfirmations(deps: LinkDeps, target: Target): Promise<HandedLink[]> {
  const row = await getRow(deps.db, recipient, target)
  await deps.audit(deps.db, {
    actor: target.actor,
    accountId: row.accountId as bigint,
    action: 'recipient.ask-again',
    entity: 'recipient',
    entityId: target.publicId,
    after: unconfirmedWays(row as RecipientRow),
  })
  return shownTo(target.actor, await requestConfirmations(deps, row))
}

/** Confirms the address that a link was sent to. */
export function confirmRecipient(deps: LinkDeps, token: string): Promise<string> {
  return deps.db.transaction(async (db) => {
    const link = await lockRecipientLink(db, hashSecret(token))
    const now = deps.clock.now()
    const isGood =
      link && !link.usedAt && link.expiresAt > now && link.mailTo.includes(link.address)
    if (!isGood) throw new Problem(noticeProblems.linkRefused, 'Request a new one.')
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
