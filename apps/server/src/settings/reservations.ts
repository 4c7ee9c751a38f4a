import { whole } from './setting.ts'

/** How long money and impressions are held for an ad that nobody has seen yet, and by whom. */
export const RESERVATION_SETTINGS = {
  RESERVATION_SECONDS: whole('How long a served ad’s charge and impression are reserved', {
    minimum: 5,
    maximum: 600,
    default: 60,
  }),
  RESERVATION_VIDEO_SECONDS: whole('The same for a video, which may start much later', {
    minimum: 5,
    maximum: 7_200,
    default: 1_800,
  }),
  RESERVATION_UNVOUCHED_SECONDS: whole(
    'The longest reservation for a reader whom neither a key nor a context token vouches for',
    { minimum: 2, maximum: 600, default: 10 },
  ),
  RESERVATIONS_PER_READER: whole(
    'How many reservations one address (of IPv6 a /64), or one user of context tokens, may begin on a node within RESERVATION_UNVOUCHED_SECONDS. A server that asks for many readers sends its key, and has no such bound. A tenth as many page calls count in the pacing of sites',
    { minimum: 1, maximum: 10_000_000, default: 1_000 },
  ),
  RESERVATION_PERCENT_PER_READER: whole(
    'How much of what a budget has left such a reader may hold, in percent; one showing always',
    { minimum: 1, maximum: 100, default: 10 },
  ),
  RESERVATION_PERCENT_UNVOUCHED: whole(
    'How much of what a budget has left all readers together may hold whom nothing vouches for, in percent; one showing always',
    { minimum: 1, maximum: 100, default: 50 },
  ),
}
