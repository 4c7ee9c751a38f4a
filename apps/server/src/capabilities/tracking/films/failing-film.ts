/** Films that players cannot play: from which share of errors on their advertiser is told. */

export interface FilmHealth {
  readonly starts: number
  readonly errors: number
  /** The most frequent code. */
  readonly code: number
}

const STARTS_MIN = 100
const ERRORS_PER_START_MAX = 0.1

/** A film that never starts has errors only: they are as good a sample as starts. */
export const isFailing = ({ starts, errors }: FilmHealth): boolean =>
  Math.max(starts, errors) >= STARTS_MIN && errors > starts * ERRORS_PER_START_MAX

const CAUSES: Readonly<Record<number, string>> = {
  100: 'the tag is no valid XML',
  101: 'the tag breaks the VAST schema',
  200: 'the player expected another kind of ad',
  201: 'the player expected another linearity',
  202: 'the player expected another length',
  203: 'the player expected another size',
  300: 'the tag behind the ad could not be used',
  301: 'the tag behind the ad did not answer in time',
  302: 'the tags lead to one another too often',
  303: 'the tag behind the ad had no ad',
  400: 'the film could not be shown',
  401: 'the file was not found',
  402: 'the file did not load in time',
  403: 'no file has a type that the player knows',
  405: 'the file could not be displayed',
  408: 'a conditional ad was refused',
  410: 'the file is still being prepared',
  500: 'the companion failed',
  600: 'the companion failed',
  900: 'the player does not say why',
  901: 'the interactive part failed',
}

export const causeOf = (code: number): string => CAUSES[code] ?? 'an error of its own'

/** What its advertiser is told. */
export function filmNotice(title: string, { starts, errors, code }: FilmHealth) {
  const share =
    starts === 0 ? 'every' : `${Math.min(100, Math.round((errors / starts) * 100))} % of its`
  const attempts = starts === 0 ? 'attempt' : 'starts'
  return {
    subject: `Players cannot play "${title}"`,
    words:
      `In the last 24 hours ${share} ${attempts} ended in an error: ${errors} errors, ${starts} starts. ` +
      `Most often ${causeOf(code)} (code ${code}). Check its files: address, type, and that pages of other sites may load them.`,
  }
}
