import { DOOR_SWITCHES } from '../capabilities/doors/index.ts'
import { GEO_SWITCHES } from '../capabilities/geo-profile/index.ts'
import { LEARNING_SWITCH } from '../capabilities/learning/index.ts'
import { defineSwitch } from '../platform/switches/switch.ts'

/** Everything that acts at once when an operator turns it. */
export const SWITCHES = [
  defineSwitch({
    name: 'decisions.serving',
    about: 'Off, every request for ads is answered with none; tracking and managing go on.',
    defaultOn: true,
  }),
  ...DOOR_SWITCHES,
  LEARNING_SWITCH,
  ...GEO_SWITCHES,
]
