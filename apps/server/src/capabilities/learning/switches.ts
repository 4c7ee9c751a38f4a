import { defineSwitch } from '../../platform/switches/switch.ts'

/** Turns all learning off at once. */
export const LEARNING_SWITCH = defineSwitch({
  name: 'learning.acting',
  about:
    'Off, nothing that was learned acts: every bid counts as it was booked, click rates come from the table, and Smooth pacing is back. Learning itself goes on, and is judged.',
  defaultOn: true,
})
