import { Problem } from '../../../platform/problem.ts'
import {
  getRow,
  reviseRow,
  type Actor,
  type Target,
  type Values,
} from '../../../platform/resources/index.ts'
import { mayEnter } from '../access/identify.ts'
import * as texts from '../mails/texts.ts'
import { accountProblems } from '../problems.ts'
import { user } from '../resources.ts'
import type { Limits } from '../sessions/limits.ts'
import { personActor } from '../sessions/open-session.ts'
import { hashSecret } from '../sessions/tokens.ts'
import { findPersonByEmail, findPersonById } from '../store.ts'
import type { Passwords } from '../users/passwords.ts'
import {
  createUser,
  hashNew,
  proveOwnPassword,
  savePassword,
  type UserDeps,
} from '../users/operations.ts'
import { areMailed, makeLink, type HandedLink, type LinkDeps } from './links.ts'
import { isConfirmedTwice, lockLink, useLink, voidLinks, type FoundLink } from './store.ts'

export interface LinkOperationDeps extends UserDeps, LinkDeps {
  readonly passwords: Passwords
  readonly limits: Limits
}

type NewPerson = Parameters<typeof createUser>[1]['body']

/** Creates a user with a random password, and a link to choose a real one. */
export async function invite(
  deps: LinkOperationDeps,
  { body, actor }: { body: NewPerson; actor: Actor },
): Promise<{ record: Values; handed: HandedLink }> {
  const record = await createUser(deps, { body, actor })
  return { record, handed: await linkTo(deps, { record, kind: 'invitation', actor }) }
}

/** Creates a link to choose a password, the first or another one. */
export async function sendPasswordLink(deps: LinkOperationDeps, { publicId, actor }: Target) {
  const record = await getRow(deps.db, user, { publicId, actor })
  if (!record.isActive) throw new Problem(accountProblems.userNotActive, publicId)
  return linkTo(deps, { record, kind: 'password', actor })
}

interface LinkTo {
  readonly record: Values
  readonly kind: 'invitation' | 'password'
  readonly actor: Actor
}

async function linkTo(deps: LinkOperationDeps, { record, kind, actor }: LinkTo) {
  const { id, email, publicId, accountId, displayName } = record as Values & {
    id: bigint
    email: string
    publicId: string
    accountId: bigint
    displayName: string
  }
  await deps.audit(deps.db, {
    actor,
    accountId,
    action: kind === 'invitation' ? 'user.invite' : 'user.send-password-link',
    entity: 'user',
    entityId: publicId,
    after: { email },
  })
  const words = kind === 'invitation' ? texts.invitation : texts.passwordLink
  return makeLink(deps, {
    kind,
    userId: id,
    to: email,
    words: (link) => words(displayName, link),
  })
}

/** Mails a password link. The answer does not show whether the address is known. */
export async function forgotPassword(deps: LinkOperationDeps, email: string): Promise<void> {
  const person = await findPersonByEmail(deps.db, email)
  if (!person || !mayEnter(person) || !areMailed(deps)) return
  // Whoever comes through an identity provider stays outside when it says so.
  if (person.signsInBy === 'provider') return
  await deps.db.transaction((db) =>
    linkTo(
      { ...deps, db },
      {
        record: { ...person, id: person.userId },
        kind: 'password',
        actor: personActor(person, 'forgot-password'),
      },
    ),
  )
}

/** Chooses a password with a link. Ends all sessions and voids all other links. */
export async function choosePassword(
  deps: LinkOperationDeps,
  { token, password }: { token: string; password: string },
): Promise<void> {
  const early = await lockLink(deps.db, hashSecret(token))
  refuseLink(early, ['invitation', 'password'], deps.clock.now())
  const about = [early!.email]
  const hashed = await hashNew(deps, { password, field: 'password', about })
  await deps.db.transaction(async (db) => {
    const link = await takeLink({ ...deps, db }, token, ['invitation', 'password'])
    const person = await findPersonById(db, link.userId)
    const actor = personActor(person!, 'link')
    await savePassword({ ...deps, db }, { publicId: link.publicId, actor, ...hashed })
    const at = deps.clock.now()
    await voidLinks(db, { userId: link.userId, kinds: ['invitation', 'password'], at })
  })
}

async function takeLink(
  { db, clock }: LinkOperationDeps,
  token: string,
  kinds: readonly FoundLink['kind'][],
): Promise<FoundLink> {
  const link = await lockLink(db, hashSecret(token))
  const now = clock.now()
  refuseLink(link, kinds, now)
  await useLink(db, link!.id, now)
  return link!
}

function refuseLink(
  link: FoundLink | undefined,
  kinds: readonly FoundLink['kind'][],
  now: Date,
): void {
  const isGood =
    link &&
    kinds.includes(link.kind) &&
    !link.usedAt &&
    link.expiresAt > now &&
    link.isActive &&
    !link.deletedAt
  if (!isGood) throw new Problem(accountProblems.linkRefused, 'Request a new one.')
}

interface EmailChange extends Target {
  readonly email: string
}

/** Asks both addresses. The address changes when both have confirmed. */
export async function askForEmail(
  deps: LinkOperationDeps,
  { email, publicId, actor }: EmailChange,
): Promise<readonly HandedLink[]> {
  const record = await getRow(deps.db, user, { publicId, actor })
  if (await findPersonByEmail(deps.db, email)) {
    throw new Problem(accountProblems.emailExists, 'Nothing was changed.')
  }
  await deps.audit(deps.db, {
    actor,
    accountId: record.accountId as bigint,
    action: 'user.ask-for-email',
    entity: 'user',
    entityId: publicId,
    after: { email },
  })
  const change = { userId: record.id as bigint, newEmail: email, changeId: deps.ids.next() }
  const old = record.email as string
  const words = (link: string) => texts.confirmEmail({ old, email, link })
  return [
    await makeLink(deps, { ...change, kind: 'old-email', to: old, words }),
    await makeLink(deps, { ...change, kind: 'new-email', to: email, words }),
  ]
}

/** The same for oneself, with the password. Needs mail, to ask both addresses. */
export async function askForOwnEmail(
  deps: LinkOperationDeps,
  { email, password, actor }: { email: string; password: string; actor: Actor },
): Promise<void> {
  const { id } = actor.principal
  if (!areMailed(deps)) throw new Problem(accountProblems.mailNotSet, 'Nothing was changed.')
  await proveOwnPassword(deps, actor, password)
  await deps.db.transaction((db) => askForEmail({ ...deps, db }, { email, publicId: id, actor }))
}

/** Confirms one of the two addresses. True if it was the second, and the address has changed. */
export function confirmEmail(deps: LinkOperationDeps, token: string): Promise<boolean> {
  return deps.db.transaction(async (db) => {
    const link = await takeLink({ ...deps, db }, token, ['old-email', 'new-email'])
    if (!(await isConfirmedTwice(db, link.changeId!))) return false
    const person = await findPersonById(db, link.userId)
    await reviseRow({ ...deps, db }, user, {
      publicId: link.publicId,
      actor: personActor(person!, 'link'),
      action: 'change-email',
      revise: () => ({ email: link.newEmail! }),
    })
    await deps.mails.send(db, { to: link.email, ...texts.emailChanged(link.newEmail!) })
    return true
  })
}
