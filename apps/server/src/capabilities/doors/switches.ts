import { defineSwitch } from '../../platform/switches/switch.ts'

export const DOOR_SWITCHES = [
  defineSwitch({
    name: 'doors.openrtb',
    about: 'If off, OpenRTB requests get no bid. Earlier bids still count and are paid.',
    defaultOn: true,
  }),
  defineSwitch({
    name: 'doors.vast',
    about: 'If off, players get empty VAST. Films already served still count and are paid.',
    defaultOn: true,
  }),
]
