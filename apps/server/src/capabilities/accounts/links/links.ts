import { DAY_MS, HOUR_MS } from '@placard/calendar'
import type { ResourceDeps } from '../../../platform/resources/index.ts'
import type { Random } from '../../../platform/random.ts'
import type { Mails, PersonalMail } from '../mails/mails.ts'
import { hashSecret } from '../sessions/tokens.ts'
import { addLink, voidLinks, type LinkKind } from './store.ts'

export interface LinkSettings {
  /** The console's address. Without it no mail can link to it. */
  readonly publicUrl: string | undefined
}

export interface LinkDeps extends ResourceDeps {
  readonly mails: Mails
  readonly linkSettings: LinkSettings
}

const LIFE_MS: Record<LinkKind, number> = {
  invitation: 3 * DAY_MS,
  password: HOUR_MS,
  'old-email': DAY_MS,
  'new-email': DAY_MS,
}

const PAGES: Record<LinkKind, string> = {
  invitation: '/accept-invitation',
  password: '/reset-password',
  'old-email': '/confirm-email',
  'new-email': '/confirm-email',
}

export interface NewLink {
  readonly kind: LinkKind
  readonly userId: bigint
  readonly to: string
  readonly newEmail?: string
  readonly changeId?: string
  words(link: string): Omit<PersonalMail, 'to'>
}

/** What an operator gets: where the link was mailed, or the link itself, once, to hand over. */
export interface HandedLink {
  readonly sentTo: string | null
  readonly link: string | null
  readonly expiresAt: string
}

/** Links go by mail if mail is set up and the console's address is known. */
export const areMailed = ({ mails, linkSettings }: Pick<LinkDeps, 'mails' | 'linkSettings'>) =>
  mails.areSent && linkSettings.publicUrl !== undefined

/** The token behind the `#` of a link, and the hash of it that we store. */
export function newLinkToken(random: Random): { token: string; tokenHash: Buffer } {
  const token = Buffer.from(random.bytes(32)).toString('base64url')
  return { token, tokenHash: hashSecret(token) }
}

interface LinkToHand {
  readonly page: string
  readonly token: string
  readonly to: string
  readonly expiresAt: Date
  words(link: string): Omit<PersonalMail, 'to'>
}

/** Mails the link, or returns it once to the person who asked if mail is not set up. */
export async function handLink(
  deps: Pick<LinkDeps, 'db' | 'mails' | 'linkSettings'>,
  { page, token, to, expiresAt, words }: LinkToHand,
): Promise<HandedLink> {
  const address = `${deps.linkSettings.publicUrl ?? ''}${page}#${token}`
  const isMailed = areMailed(deps)
  if (isMailed) await deps.mails.send(deps.db, { to, ...words(address) })
  return {
    sentTo: isMailed ? to : null,
    link: isMailed ? null : address,
    expiresAt: expiresAt.toISOString(),
  }
}

/** Creates a link that works once. What follows the `#` reaches no log and no other site. */
export async function makeLink(deps: LinkDeps, link: NewLink): Promise<HandedLink> {
  const { db, clock, random } = deps
  const { kind, userId, to, newEmail, changeId, words } = link
  const now = clock.now()
  const { token, tokenHash } = newLinkToken(random)
  const expiresAt = new Date(now.getTime() + LIFE_MS[kind])
  await voidLinks(db, { userId, kinds: [kind], at: now })
  await addLink(db, {
    userId,
    kind,
    tokenHash,
    createdAt: now,
    expiresAt,
    newEmail: newEmail ?? null,
    changeId: changeId ?? null,
  })
  return handLink(deps, { page: PAGES[kind], token, to, expiresAt, words })
}
