import { DAY_MS, HOUR_MS } from '@placard/calendar'
import type { ResourceDeps } from '../../../platform/resources/index.ts'
import type { Random } from '../../../platform/random.ts'
import type { Mails, PersonalMail } from '../mails/mails.ts'
import { hashSecret } from '../sessions/tokens.ts'
import { addLink, voidLinks, type LinkKind } from './store.ts'

export interface LinkSettings {
  /** Where people reach the console; without it no mail can lead there. */
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

/** What an operator is told: where the link went, or the link itself, once, to hand over. */
export interface HandedLink {
  readonly sentTo: string | null
  readonly link: string | null
  readonly expiresAt: string
}

/** Links leave by mail where mail is set and the console's address is known. */
export const areMailed = ({ mails, linkSettings }: Pick<LinkDeps, 'mails' | 'linkSettings'>) =>
  mails.areSent && linkSettings.publicUrl !== undefined

/** What stands behind the `#` of a link, and what is kept of it. */
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

/** Hands a link over: by mail where mail is set, else to the person who asked, this once. */
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

/** Makes a link that works once. What is behind the `#` reaches no log and no other site. */
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
