/** Recurrence rules that come up often enough to fall on the clock changes of `random-world.ts`. */
export const RULES = [
  'FREQ=DAILY',
  'FREQ=DAILY;INTERVAL=2',
  'FREQ=WEEKLY;BYDAY=SA,SU',
  'FREQ=WEEKLY',
  'FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,SU',
  'FREQ=DAILY;UNTIL=20260308',
]
