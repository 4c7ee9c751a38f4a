import type { Placement } from '../../api/types.ts'

/** How a placement is sold: banners booked by hand, the auction, or both. */
export const MODE_OPTIONS: readonly {
  readonly value: Placement['mode']
  readonly label: string
}[] = [
  { value: 'hybrid', label: 'Bookings first, then auction' },
  { value: 'auction', label: 'Auction only' },
  { value: 'direct', label: 'Bookings only' },
]

/** Short names for tables. */
export const MODE_NAMES: Readonly<Record<Placement['mode'], string>> = {
  hybrid: 'Both',
  auction: 'Auction',
  direct: 'Bookings',
}
