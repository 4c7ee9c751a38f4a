import { defineSwitch } from '../../platform/switches/switch.ts'

export const DOOR_SWITCHES = [
  defineSwitch({
    name: 'doors.openrtb',
    about: 'Off, OpenRTB requests get no bid; bids that were made before still count and are paid.',
    defaultOn: true,
  }),
  defineSwitch({
    name: 'doors.vast',
    about: 'Off, players get empty VAST; films that were answered before still count and are paid.',
    defaultOn: true,
  }),
]
