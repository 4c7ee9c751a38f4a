import { whole } from './setting.ts'

/** Clients of other makers. */
export const DOOR_SETTINGS = {
  OPENRTB_HOLD_SECONDS: whole(
    'How long a bid over OpenRTB holds its money and a place under the caps; most bids lose elsewhere',
    { minimum: 5, maximum: 600, default: 30 },
  ),
}
