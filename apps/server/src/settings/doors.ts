import { optional, text, whole } from './setting.ts'

/** Clients of other makers, and what buyers read about the platform. */
export const DOOR_SETTINGS = {
  SELLER_DOMAIN: optional(
    text(
      'Domain under which the platform sells in `ads.txt` and `sellers.json`; without it, in production, both files are 404',
      { pattern: '^[a-z0-9-]+(\\.[a-z0-9-]+)+$' },
    ),
  ),
  SELLER_CONTACT: optional(
    text('Address in `sellers.json` where buyers write to', { format: 'email' }),
  ),
  OPENRTB_HOLD_SECONDS: whole(
    'How long a bid over OpenRTB holds its money and a place under the caps; most bids lose elsewhere',
    { minimum: 5, maximum: 600, default: 30 },
  ),
}
