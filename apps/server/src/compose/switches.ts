import { DOOR_SWITCHES } from '../capabilities/doors/index.ts'
import { GEO_SWITCHES } from '../capabilities/geo-profile/index.ts'
import { LEARNING_SWITCH } from '../capabilities/learning/index.ts'
import { defineSwitch } from '../platform/switches/switch.ts'

/** Everything that an operator can turn on and off at once. */
export const SWITCHES = [
  defineSwitch({
    name: 'decisions.serving',
    about: 'Off: no ads are served; tracking and management continue.',
    defaultOn: true,
  }),
  ...DOOR_SWITCHES,
  LEARNING_SWITCH,
  ...GEO_SWITCHES,
]
