import { DAY_MS, HOUR_MS } from '@placard/calendar'
import type { ResourceDeps } from '../../../platform/resources/index.ts'
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

/** Makes a link that works once. What is behind the `#` reaches no log and no other site. */
export async function makeLink(deps: LinkDeps, link: NewLink): Promise<HandedLink> {
  const { db, clock, random, mails, linkSettings } = deps
  const { kind, userId, to, newEmail, changeId } = link
  const now = clock.now()
  const token = Buffer.from(random.bytes(32)).toString('base64url')
  const expiresAt = new Date(now.getTime() + LIFE_MS[kind])
  await voidLinks(db, { userId, kinds: [kind], at: now })
  await addLink(db, {
    userId,
    kind,
    tokenHash: hashSecret(token),
    createdAt: now,
    expiresAt,
    newEmail: newEmail ?? null,
    changeId: changeId ?? null,
  })
  const address = `${linkSettings.publicUrl ?? ''}${PAGES[kind]}#${token}`
  const isMailed = areMailed(deps)
  if (isMailed) await mails.send(db, { to, ...link.words(address) })
  return {
    sentTo: isMailed ? to : null,
    link: isMailed ? null : address,
    expiresAt: expiresAt.toISOString(),
  }
}
