import type { Payer } from '../ledger/store-ledger-accounts.ts'

/** Whose money, of which day, in which node's hands. */
export interface LeaseKey extends Omit<Payer, 'advertiserKey'> {
  readonly node: string
}

export const leaseName = ({ campaignKey, day, node }: LeaseKey): string =>
  `${campaignKey} ${day} ${node}`

/** Reservation ids begin with the name of the node that made them, and a dot. */
export function nodeOfReservation(reservationId: string | undefined): string | undefined {
  const end = reservationId?.indexOf('.') ?? -1
  return end <= 0 ? undefined : reservationId!.slice(0, end)
}
