import { defineSwitch } from '../../../platform/switches/switch.ts'

/** Each step of the roll-out has a switch of its own; what blocks people is off until turned on. */
export const GEO_SWITCHES = [
  defineSwitch({
    name: 'geo-profile.ingest',
    about: 'Off, observations are refused with 503 and lost; nobody else notices.',
    defaultOn: true,
  }),
  defineSwitch({
    name: 'geo-profile.ranking',
    about: 'Off, only hourly facts are kept; the repair script ranks them later.',
    defaultOn: true,
  }),
  defineSwitch({
    name: 'geo-profile.review',
    about: 'Off, nobody is newly recommended for a review of the declared country.',
    defaultOn: true,
  }),
  defineSwitch({
    name: 'geo-profile.notify',
    about: 'Off, nobody is told of a new recommendation; the list shows it all the same.',
    defaultOn: true,
  }),
  defineSwitch({
    name: 'geo-profile.detection',
    about: 'Kill switch: off, no session is looked at, flagged or blocked; blocks that wait, wait.',
    defaultOn: true,
  }),
  defineSwitch({
    name: 'geo-profile.block-review',
    about: 'On, a suspicious session waits for a person to block it; off, it is only written down.',
    defaultOn: false,
  }),
  defineSwitch({
    name: 'geo-profile.blocking',
    about: 'On, a suspicious session is blocked without asking. Try it in review first.',
    defaultOn: false,
  }),
]

export const INGEST_SWITCH = 'geo-profile.ingest'

export interface GeoModes {
  readonly ranking: boolean
  readonly review: boolean
  readonly notify: boolean
  readonly detection: boolean
  /** What becomes of a suspicious session. */
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
