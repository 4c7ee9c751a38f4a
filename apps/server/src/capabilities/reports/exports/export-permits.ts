/** How many exports one process reads at once in total and per account. */
export interface ExportLimits {
  readonly total: number
  readonly perAccount: number
}

export type ExportPermit =
  | { readonly kind: 'taken'; release(): void }
  /** The process has reached its limit. */
  | { readonly kind: 'full' }
  | { readonly kind: 'account-full' }

export interface ExportPermits {
  take(accountId: bigint): ExportPermit
}

/** Counts exports from the first row read until the last byte is sent. */
export function openExportPermits({ total, perAccount }: ExportLimits): ExportPermits {
  const byAccount = new Map<bigint, number>()
  let taken = 0
  const add = (accountId: bigint, count: 1 | -1) => {
    const next = (byAccount.get(accountId) ?? 0) + count
    if (next === 0) byAccount.delete(accountId)
    else byAccount.set(accountId, next)
    taken += count
  }
  return {
    take(accountId) {
      if ((byAccount.get(accountId) ?? 0) >= perAccount) return { kind: 'account-full' }
      if (taken >= total) return { kind: 'full' }
      add(accountId, 1)
      let isOpen = true
      return {
        kind: 'taken',
        release() {
          if (isOpen) add(accountId, -1)
          isOpen = false
        },
      }
    },
  }
}
