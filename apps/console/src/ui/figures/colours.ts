/** Colours of series in charts and timelines: the theme's first, then others, so that none repeats. */
const PALETTE = ['var(--series-1)', 'var(--series-3)', 'var(--series-4)', 'var(--series-5)']

/** The colour of the series that others are compared with. */
export const REFERENCE_COLOUR = 'var(--series-2)'

/** The golden angle: neighbouring numbers get hues far apart. */
const ANGLE = 137.5

export const seriesColour = (place: number): string =>
  PALETTE[place] ?? `hsl(${(place * ANGLE) % 360} 55% 50%)`
