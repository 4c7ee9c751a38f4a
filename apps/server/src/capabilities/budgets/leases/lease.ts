import type { Payer } from '../ledger/store-ledger-accounts.ts'

/** Payer, budget day and node of a lease. */
export interface LeaseKey extends Omit<Payer, 'advertiserKey'> {
  readonly node: string
}

export const leaseName = ({ campaignKey, day, node }: LeaseKey): string =>
  `${campaignKey} ${day} ${node}`

/** A reservation id begins with the name of its node and a dot. */
export function nodeOfReservation(reservationId: string | undefined): string | undefined {
  const end = reservationId?.indexOf('.') ?? -1
  return end <= 0 ? undefined : reservationId!.slice(0, end)
}
