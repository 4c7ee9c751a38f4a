import { defineSwitch } from '../../../platform/switches/switch.ts'

/** Each step of the roll-out has its own switch. Blocking people is off at first. */
export const GEO_SWITCHES = [
  defineSwitch({
    name: 'geo-profile.ingest',
    about: 'If off, observations are refused with 503 and lost. Nothing else is affected.',
    defaultOn: true,
  }),
  defineSwitch({
    name: 'geo-profile.ranking',
    about: 'If off, only hourly facts are stored. The repair script can rank them later.',
    defaultOn: true,
  }),
  defineSwitch({
    name: 'geo-profile.review',
    about: 'If off, no new review of a declared country is recommended.',
    defaultOn: true,
  }),
  defineSwitch({
    name: 'geo-profile.notify',
    about: 'If off, nobody is notified of a new recommendation. The list still shows it.',
    defaultOn: true,
  }),
  defineSwitch({
    name: 'geo-profile.detection',
    about:
      'Kill switch. If off, no session is checked, flagged or blocked, and waiting blocks stay waiting.',
    defaultOn: true,
  }),
  defineSwitch({
    name: 'geo-profile.block-review',
    about:
      'If on, a suspicious session waits for a person’s decision. If off, it is only recorded.',
    defaultOn: false,
  }),
  defineSwitch({
    name: 'geo-profile.blocking',
    about: 'If on, a suspicious session is blocked automatically. Try review first.',
    defaultOn: false,
  }),
]

export const INGEST_SWITCH = 'geo-profile.ingest'

export interface GeoModes {
  readonly ranking: boolean
  readonly review: boolean
  readonly notify: boolean
  readonly detection: boolean
  /** The first state of a suspicious session. */
  readonly blocking: 'skipped_shadow' | 'awaiting_review' | 'requested'
}

export function modesOf(
  states: readonly { readonly name: string; readonly isOn: boolean }[],
): GeoModes {
  const isOn = (step: string) =>
    states.some(({ name, isOn }) => name === `geo-profile.${step}` && isOn)
  return {
    ranking: isOn('ranking'),
    review: isOn('review'),
    notify: isOn('notify'),
    detection: isOn('detection'),
    blocking: isOn('blocking')
      ? 'requested'
      : isOn('block-review')
        ? 'awaiting_review'
        : 'skipped_shadow',
  }
}
