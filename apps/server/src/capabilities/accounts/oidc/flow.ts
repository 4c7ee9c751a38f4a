import { Type } from 'typebox'
import { Value } from 'typebox/value'
import type { Clock } from '../../../platform/clock.ts'
import type { Random } from '../../../platform/random.ts'
import type { SecretBox } from '../../../platform/secret-box.ts'

/** What a sign-in at a provider began with, and its answer has to fit. */
const Flow = Type.Object({
  slug: Type.String(),
  state: Type.String(),
  nonce: Type.String(),
  verifier: Type.String(),
  expiresAtMs: Type.Number(),
  /** Public id of the user who connects the identity; null to sign in. */
  connectedBy: Type.Union([Type.String(), Type.Null()]),
})

export interface Flow {
  readonly slug: string
  readonly state: string
  readonly nonce: string
  readonly verifier: string
  readonly expiresAtMs: number
  readonly connectedBy: string | null
}

/** Seals flows: each purpose has its own key. */
export const FLOWS = 'sign-ins at identity providers'

const LIFE_MS = 10 * 60_000

export interface FlowDeps {
  readonly clock: Clock
  readonly random: Random
  readonly flowBox: SecretBox
}

export function newFlow({ clock, random }: FlowDeps, of: Pick<Flow, 'slug' | 'connectedBy'>): Flow {
  const secret = () => Buffer.from(random.bytes(32)).toString('base64url')
  return {
    ...of,
    state: secret(),
    nonce: secret(),
    verifier: secret(),
    expiresAtMs: clock.now().getTime() + LIFE_MS,
  }
}

/** The browser keeps it, sealed: we store nothing for people who do not come back. */
export const sealFlow = ({ flowBox }: FlowDeps, flow: Flow): Promise<string> =>
  flowBox.seal(JSON.stringify(flow))

/** Undefined if it is not ours, has expired, or is for something else. */
export async function openFlow(
  { clock, flowBox }: FlowDeps,
  sealed: string,
  { slug, connectedBy }: Pick<Flow, 'slug' | 'connectedBy'>,
): Promise<Flow | undefined> {
  const flow = await readFlow(flowBox, sealed)
  if (!flow || flow.expiresAtMs <= clock.now().getTime()) return undefined
  return flow.slug === slug && flow.connectedBy === connectedBy ? flow : undefined
}

async function readFlow(box: SecretBox, sealed: string): Promise<Flow | undefined> {
  const text = await box.open(sealed).catch(() => undefined)
  if (text === undefined) return undefined
  const flow: unknown = JSON.parse(text)
  return Value.Check(Flow, flow) ? flow : undefined
}
