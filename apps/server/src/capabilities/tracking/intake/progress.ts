import { FILM_EVENTS, type FilmEvent } from '@placard/contract/tracking'

/** The names under which progress is kept: a step of a film, `error-303`, `custom-7`. */

const CODE = /^[1-9][0-9]{2}$/
const UNDEFINED_ERROR = 900

/** A player's error. What is no code of VAST, such as a macro that nobody filled, is an undefined one. */
export const errorName = (code: string | undefined): string =>
  `error-${code !== undefined && CODE.test(code) ? code : UNDEFINED_ERROR}`

interface Counted {
  readonly name: string
  readonly events: number
}

/** Every step, also those that nobody reached. */
export function filmStepsIn(counts: readonly Counted[]): Record<FilmEvent, number> {
  const eventsOf = new Map(counts.map(({ name, events }) => [name, events]))
  const steps = {} as Record<FilmEvent, number>
  for (const name of FILM_EVENTS) steps[name] = eventsOf.get(name) ?? 0
  return steps
}

const numbered = (counts: readonly Counted[], kind: 'error' | 'custom') =>
  counts.flatMap(({ name, events: count }) => {
    const [word, number] = name.split('-')
    return word === kind ? [{ number: Number(number), count }] : []
  })

export const filmErrorsIn = (counts: readonly Counted[]) =>
  numbered(counts, 'error').map(({ number: code, count }) => ({ code, count }))

export const customEventsIn = (counts: readonly Counted[]) => numbered(counts, 'custom')
