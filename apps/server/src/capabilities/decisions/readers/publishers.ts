import type { Principal } from '../../../platform/http/principal.ts'

export interface Publisher {
  readonly key: number
  readonly publicId: string
  readonly currency: string
  readonly accountKey: number
}

/**
 * All publishers of the platform: the default one first, then in the order in which they were made.
 * Where a reader is concerned, a publisher is known by the key of its account.
 */
export class Publishers {
  private publishers: readonly Publisher[] = []
  private byPublicId: ReadonlyMap<string, Publisher> = new Map()
  private byAccount: ReadonlyMap<number, readonly Publisher[]> = new Map()

  replaceBy(publishers: readonly Publisher[]): void {
    this.publishers = publishers
    this.byPublicId = new Map(publishers.map((one) => [one.publicId, one]))
    this.byAccount = Map.groupBy(publishers, ({ accountKey }) => accountKey)
  }

  /** Their accounts. */
  get all(): readonly number[] {
    return [...this.byAccount.keys()]
  }

  find(publicId: string): Publisher | undefined {
    return this.byPublicId.get(publicId)
  }

  /** The publishers that the caller's account has. */
  ownedBy(principal: Principal | undefined): readonly Publisher[] {
    return (principal && this.byAccount.get(Number(principal.accountId))) ?? []
  }

  /** Whose placements a request stands for that names nobody. Undefined while nobody sells. */
  get default(): Publisher | undefined {
    return this.publishers[0]
  }

  /**
   * Whose reader a request means that names no placement and no publisher: the caller's own, or the
   * default publisher's. Undefined as long as there is none.
   */
  of(principal: Principal | undefined): number | undefined {
    return ownPublisher(principal) ?? this.default?.accountKey
  }
}

/** The publisher that the caller belongs to: only publishers and the platform have the permission. */
export const ownPublisher = (principal: Principal | undefined): number | undefined =>
  principal !== undefined && !principal.isPlatform && principal.permissions.has('serving:write')
    ? Number(principal.accountId)
    : undefined

/** A publisher's key speaks for its own readers, a platform key for all. */
export const speaksFor = (
  principal: Principal | undefined,
  publisherKey: number | undefined,
): boolean =>
  principal !== undefined &&
  principal.permissions.has('serving:write') &&
  (principal.isPlatform || Number(principal.accountId) === publisherKey)
