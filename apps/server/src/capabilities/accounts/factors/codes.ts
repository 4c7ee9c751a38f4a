import type { FastifyBaseLogger } from 'fastify'
import type { SecretBox } from '../../../platform/secret-box.ts'
import * as texts from '../mails/texts.ts'
import { personActor, type SessionDeps } from '../sessions/open-session.ts'
import type { Person } from '../store.ts'
import { stepOf } from './authenticator.ts'
import type { FactorProof, FactorRoles } from './factor.ts'
import type { PasskeySite } from './passkey-site.ts'
import { hashRecoveryCode } from './recovery-codes.ts'
import {
  countRecoveryCodes,
  listFactors,
  useRecoveryCode,
  useStep,
  type FactorRow,
} from './store.ts'

export interface FactorDeps extends SessionDeps {
  readonly log: FastifyBaseLogger
  readonly factorBox: SecretBox
  readonly factorRoles: FactorRoles
  /** Where the console is, for the name that an authenticator app shows. */
  readonly publicUrl: string | undefined
  /** Undefined where no browser has passkeys. */
  readonly passkeySite: PasskeySite | undefined
}

/** What proves it is the user: a code of an authenticator, or a recovery code. Each works once. */
export async function useCode(
  deps: FactorDeps,
  person: Person,
  typed: string,
): Promise<FactorProof | undefined> {
  const code = typed.replaceAll(/[\s-]/g, '')
  if (!/^\d{6}$/.test(code)) return useRecovery(deps, person, typed)
  for (const factor of await listFactors(deps.db, person.userId)) {
    if (await isCodeOf(deps, factor, code)) return 'authenticator'
  }
  return undefined
}

async function isCodeOf(deps: FactorDeps, factor: FactorRow, code: string): Promise<boolean> {
  const secret = await openSecret(deps, factor)
  const now = deps.clock.now()
  const step = secret === undefined ? undefined : stepOf(secret, { code, now })
  return step !== undefined && useStep(deps.db, { id: factor.id, step, now })
}

/** Undefined for a passkey, and for a secret that was encrypted with a secret since lost. */
async function openSecret({ factorBox, log }: FactorDeps, { sealedSecret, publicId }: FactorRow) {
  if (sealedSecret === null) return undefined
  try {
    return await factorBox.open(sealedSecret)
  } catch (error) {
    log.warn({ err: error, factor: publicId }, 'an authenticator cannot be decrypted')
    return undefined
  }
}

async function useRecovery(
  deps: FactorDeps,
  person: Person,
  typed: string,
): Promise<FactorProof | undefined> {
  const { db, clock, mails } = deps
  const { userId, publicId, accountId, email } = person
  const now = clock.now()
  const isUsed = await useRecoveryCode(db, { userId, codeHash: hashRecoveryCode(typed), now })
  if (!isUsed) return undefined
  const left = await countRecoveryCodes(db, userId)
  await deps.audit(db, {
    actor: personActor(person, 'recovery-code'),
    accountId,
    action: 'user.use-recovery-code',
    entity: 'user',
    entityId: publicId,
    after: { left },
  })
  await mails.send(db, { to: email, ...texts.recoveryCodeUsed(now, left) })
  return 'recovery-code'
}
