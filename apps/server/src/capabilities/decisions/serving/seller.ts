import type { Principal } from '../../../platform/http/principal.ts'
import { Problem } from '../../../platform/problem.ts'
import { publisherProblems } from '../../inventory/index.ts'
import type { DecisionMetrics } from '../metrics.ts'
import type { Publisher, Publishers } from '../readers/publishers.ts'

/** Who asks, and whose placements are asked for. */
export interface SellerQuestion {
  readonly principal: Principal | undefined
  /** Accounts of the publishers whose placements are requested. */
  readonly accounts: readonly number[]
}

/** Whether the caller sells these placements: a platform key or user, or one of their publisher. */
export const isSeller = ({ principal, accounts }: SellerQuestion): boolean =>
  principal !== undefined &&
  (principal.isPlatform ||
    (accounts.length > 0 && accounts.every((key) => BigInt(key) === principal.accountId)))

const MICROS = 1_000_000

/**
 * A floor raises what others pay, so it counts only from a seller of the placement with
 * `serving:write`.
 */
export function floorOf(
  metrics: DecisionMetrics,
  question: SellerQuestion,
  floor: number | undefined,
): number | undefined {
  if (floor === undefined) return undefined
  const maySet = question.principal?.permissions.has('serving:write') && isSeller(question)
  if (maySet) return Math.round(floor * MICROS)
  metrics.countIgnoredFloor()
  return undefined
}

/**
 * Whose placements a request by type stands for: the caller's own, else those of the publisher it
 * names, else those of the default publisher. Undefined only while nobody sells.
 */
export function publisherFor(
  publishers: Publishers,
  principal: Principal | undefined,
  named: string | undefined,
): Publisher | undefined {
  const own = publishers.ownedBy(principal)
  const wanted = named?.toLowerCase()
  if (own.length > 0) return own.find(({ publicId }) => publicId === wanted) ?? own[0]
  if (wanted === undefined) return publishers.default
  const publisher = publishers.find(wanted)
  if (publisher === undefined) throw new Problem(publisherProblems.notFound, wanted)
  return publisher
}
