import { KEY_START } from '../../../platform/http/access.ts'
import { Problem } from '../../../platform/problem.ts'
import {
  createRow,
  getRow,
  reviseRow,
  type Actor,
  type ResourceDeps,
  type Target,
} from '../../../platform/resources/index.ts'
import { refusedScopes, type AccountKind } from '../access/access.ts'
import { accountProblems } from '../problems.ts'
import { account, apiKey } from '../resources.ts'
import { lockUsableKeys } from './store.ts'
import { hashSecret } from '../sessions/tokens.ts'

interface NewKey {
  readonly name: string
  readonly accountId: string
  readonly scopes: readonly string[]
  readonly expiresAt?: string | null
}

const SHOWN_CHARACTERS = 12
const KEYS_MAX = 100

/** Creates a key. Only its hash is stored: the answer shows the text once. */
export async function createKey(
  deps: ResourceDeps,
  { body, actor }: { body: NewKey; actor: Actor },
) {
  const owner = await getRow(deps.db, account, { publicId: body.accountId, actor })
  const { permissions, kind } = actor.principal
  const refused = refusedScopes(body.scopes, {
    kind: owner.kind as AccountKind,
    // A key that may create keys must not create one with more permissions than its own.
    isOperator: kind === 'user' && permissions.has('accounts:write'),
    permissions,
  })
  if (refused.length > 0) throw new Problem(accountProblems.scopeRefused, refused.join(', '))

  if ((await lockUsableKeys(deps.db, owner.id as bigint, deps.clock.now())) >= KEYS_MAX) {
    throw new Problem(accountProblems.tooManyKeys, `The account has ${KEYS_MAX} that work.`)
  }
  const key = `${KEY_START}${Buffer.from(deps.random.bytes(32)).toString('base64url')}`
  const record = await createRow(deps, apiKey, {
    body: { ...body },
    actor,
    extra: { keyHash: hashSecret(key), keyStart: key.slice(0, SHOWN_CHARACTERS) },
  })
  return { record, key }
}

/** Takes effect from the next request. Revoking twice changes nothing. */
export function revokeKey(deps: ResourceDeps, target: Target) {
  return reviseRow(deps, apiKey, {
    ...target,
    action: 'revoke',
    revise: (row) => (row.revokedAt ? {} : { revokedAt: deps.clock.now() }),
  })
}
