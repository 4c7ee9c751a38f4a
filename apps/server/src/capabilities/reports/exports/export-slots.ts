/** How many exports one process reads at once, and how many of them for one account. */
export interface ExportSlotLimits {
  readonly total: number
  readonly perAccount: number
}

export type ExportSlot =
  | { readonly kind: 'taken'; release(): void }
  /** Others read as many as the process can. */
  | { readonly kind: 'full' }
  | { readonly kind: 'account-full' }

export interface ExportSlots {
  take(accountId: bigint): ExportSlot
}

/** Counts exports from the first row read until the last byte is taken. */
export function openExportSlots({ total, perAccount }: ExportSlotLimits): ExportSlots {
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
      let isHeld = true
      return {
        kind: 'taken',
        release() {
          if (isHeld) add(accountId, -1)
          isHeld = false
        },
      }
    },
  }
}
