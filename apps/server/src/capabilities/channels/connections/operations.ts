import { Problem } from '../../../platform/problem.ts'
import {
  type Actor,
  createRow,
  patchRow,
  type ResourceDeps,
  reviseRow,
  type Target,
  type Values,
} from '../../../platform/resources/index.ts'
import type { SecretBox } from '../../../platform/secret-box.ts'
import { connectionProblems } from '../problems.ts'
import { connection } from '../resources.ts'

export interface ConnectionDeps extends ResourceDeps {
  /** Encrypts the credentials of ad accounts. */
  readonly secretBox: SecretBox
  readonly isMockAllowed: boolean
}

export async function createConnection(
  deps: ConnectionDeps,
  { body, actor }: { readonly body: Values; readonly actor: Actor },
): Promise<Values> {
  if (body.provider === 'mock' && !deps.isMockAllowed) {
    throw new Problem(connectionProblems.mockRefused, 'This is a production server.')
  }
  const { credentials, ...fields } = body
  const extra = { sealedCredentials: await sealed(deps, credentials) }
  return createRow(deps, connection, { body: fields, actor, extra })
}

/** New credentials clear the failures of the old ones. */
export async function changeConnection(
  deps: ConnectionDeps,
  { body, ...target }: Target & { readonly body: Values },
): Promise<Values> {
  const { credentials, ...fields } = body
  const changed = await patchRow(deps, connection, { ...target, body: fields })
  if (credentials === undefined) return changed
  const sealedCredentials = await sealed(deps, credentials)
  return reviseRow(deps, connection, {
    publicId: target.publicId,
    actor: target.actor,
    action: 'change-credentials',
    revise: () => ({
      sealedCredentials,
      failingSince: null,
      failure: null,
      restsUntil: null,
      levels: {},
    }),
  })
}

const sealed = async (
  { secretBox }: ConnectionDeps,
  credentials: unknown,
): Promise<string | null> => (typeof credentials === 'string' ? secretBox.seal(credentials) : null)
