import { bookAlone } from './book-alone.ts'
import { bookByKeyboard } from './booking-by-keyboard.ts'

/** Whole bookings, each with the rule that it shows. */
export const BOOKINGS = [
  {
    rule: 'a campaign is booked by keyboard alone, each step refuses what is wrong, and leaving loses nothing',
    go: bookByKeyboard,
    ends: { status: 'Active' },
  },
  {
    rule: 'an advertiser limits its day, makes a creative on the way, books an offered placement, and asks ad operations for others',
    go: bookAlone,
    ends: { limit: '€75.00', waits: 'approval' },
  },
]
