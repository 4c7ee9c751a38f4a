/** Recurrence rules that recur often enough to meet the clock changes of `random-world.ts`. */
export const RULES = [
  'FREQ=DAILY',
  'FREQ=DAILY;INTERVAL=2',
  'FREQ=WEEKLY;BYDAY=SA,SU',
  'FREQ=WEEKLY',
  'FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,SU',
  'FREQ=DAILY;UNTIL=20260308',
]
