import type { Principal } from '../../../platform/http/principal.ts'

/** A publisher and the account that it belongs to. */
export interface PublisherAccount {
  readonly publicId: string
  readonly publisherKey: number
}

/**
 * All publishers of the platform, in the order in which they were made. A publisher is known here by
 * the key of its account.
 */
export class Publishers {
  private keys: readonly number[] = []
  private byPublicId: ReadonlyMap<string, number> = new Map()

  replaceBy(accounts: readonly PublisherAccount[]): void {
    this.keys = [...new Set(accounts.map(({ publisherKey }) => publisherKey))]
    this.byPublicId = new Map(
      accounts.map(({ publicId, publisherKey }) => [publicId, publisherKey]),
    )
  }

  get all(): readonly number[] {
    return this.keys
  }

  find(publicId: string): number | undefined {
    return this.byPublicId.get(publicId)
  }

  /**
   * Whose reader a request means that names no placement and no publisher: the caller's own, or the
   * platform's first publisher's. Undefined as long as there is none.
   */
  of(principal: Principal | undefined): number | undefined {
    return ownPublisher(principal) ?? this.keys[0]
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
