import { useEffect, useLayoutEffect, useRef } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { useTheme } from '../../shell/theme.ts'
import { REFERENCE_COLOUR, seriesColour } from './colours.ts'

export interface Series {
  readonly label: string
  readonly values: readonly (number | null)[]
  /** For comparison: a thin, grey, dashed line. */
  readonly isReference?: boolean
  readonly look?: 'area' | 'line' | 'bars'
}

interface ChartProps {
  /** Describes the chart to screen readers. */
  readonly label: string
  /** Seconds since 1970 for times, else any rising numbers. */
  readonly x: readonly number[]
  readonly series: readonly Series[]
  readonly sayX: (x: number) => string
  readonly sayY: (y: number) => string
  readonly height?: number
  /** Counts: the scale has whole numbers only. */
  readonly isCount?: boolean
}

/** Round steps for hours of a day, and for seconds. */
const STEPS = [1, 2, 3, 4, 6, 12, 24, 900, 3_600, 10_800, 21_600, 43_200, 86_400, 172_800, 604_800]

const WHOLE_STEPS = Array.from({ length: 10 }, (_, power) =>
  [1, 2, 5].map((step) => step * 10 ** power),
).flat()

const DIGIT_PX = 6.4
const GAP_PX = 12

/** Width of the longest number on the scale. */
const widthOf = (values: readonly string[]) =>
  Math.ceil(Math.max(2, ...values.map(({ length }) => length)) * DIGIT_PX) + GAP_PX

/** Draws series over time in the colours of the theme. */
export function Chart({ label, x, series, sayX, sayY, height = 220, isCount }: ChartProps) {
  const box = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot>(null)
  const { shown: theme } = useTheme()
  const shape = JSON.stringify([
    theme,
    height,
    series.map(({ label, look, isReference }) => [label, look, isReference]),
  ])
  const says = useRef({ sayX, sayY })
  const data = [x, ...series.map(({ values }) => values)] as uPlot.AlignedData
  const latest = useRef(data)

  useLayoutEffect(() => {
    says.current = { sayX, sayY }
    latest.current = data
  })

  useEffect(() => {
    const element = box.current
    if (!element) return
    const made = new uPlot(
      optionsOf({ series, height, width: element.clientWidth, says, isCount }),
      latest.current,
      element,
    )
    plot.current = made
    const resizes = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height }))
    resizes.observe(element)
    return () => {
      resizes.disconnect()
      made.destroy()
    }
    // New data is set below. Only a new shape or theme needs a new plot.
  }, [shape])

  useEffect(() => plot.current?.setData(latest.current), [x, series])

  return (
    <figure>
      <Legend series={series} />
      <div
        ref={box}
        role="img"
        aria-label={label}
        className="relative w-full overflow-hidden"
        style={{ height }}
      />
    </figure>
  )
}

function colourOf(series: readonly Series[], place: number): string {
  if (series[place]!.isReference) return REFERENCE_COLOUR
  return seriesColour(series.slice(0, place).filter(({ isReference }) => !isReference).length)
}

function Legend({ series }: Pick<ChartProps, 'series'>) {
  return (
    <figcaption className="mb-2 flex flex-wrap gap-x-4 gap-y-1 text-xs text-ink-soft">
      {series.map(({ label }, place) => (
        <span key={label} className="inline-flex items-center gap-1.5">
          <span
            className="h-2 w-2 rounded-full"
            style={{ background: colourOf(series, place) }}
            aria-hidden
          />
          {label}
        </span>
      ))}
    </figcaption>
  )
}

interface Formats {
  readonly current: Pick<ChartProps, 'sayX' | 'sayY'>
}

interface Drawing extends Pick<ChartProps, 'series'> {
  readonly isCount: boolean | undefined
  readonly height: number
  readonly width: number
  readonly says: Formats
}

function optionsOf({ series, height, width, says, isCount }: Drawing): uPlot.Options {
  const style = getComputedStyle(document.documentElement)
  const read = (name: string) => style.getPropertyValue(name).trim()
  const drawn = (colour: string) => colour.replace(/^var\((.+)\)$/, (_, name: string) => read(name))
  const axis = {
    stroke: read('--ink-faint'),
    font: `11px ${getComputedStyle(document.body).fontFamily}`,
    ticks: { show: false },
  }
  const hasBars = series.some(({ look }) => look === 'bars')
  return {
    width,
    height,
    legend: { show: false },
    padding: [10, 22, 0, 0],
    cursor: { y: false, points: { size: 7, width: 2, fill: read('--surface') } },
    scales: {
      x: { time: false, ...(hasBars && { range: wholeBars }) },
      y: { range: (_plot, _low, high) => [0, high > 0 ? high * 1.08 : 1] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        space: 64,
        incrs: STEPS,
        size: 28,
        values: (_plot, splits) => splits.map((x) => says.current.sayX(x)),
      },
      {
        ...axis,
        size: (_plot, values) => widthOf(values ?? []),
        space: 42,
        ...(isCount && { incrs: WHOLE_STEPS }),
        grid: { stroke: read('--line'), width: 1 },
        values: (_plot, splits) => splits.map((y) => says.current.sayY(y)),
      },
    ],
    series: [{}, ...series.map((one, place) => lineOf(one, drawn(colourOf(series, place))))],
    plugins: [tip(series, says)],
  }
}

/** Half a step more on either side, so that the first and last bar have full width. */
function wholeBars(plot: uPlot, low: number | null, high: number | null): uPlot.Range.MinMax {
  if (low === null || high === null) return [0, 1]
  const steps = Math.max(1, (plot.data[0].length || 1) - 1)
  const half = Math.max(high - low, 1) / steps / 2
  return [low - half, high + half]
}

function lineOf({ label, look = 'line', isReference }: Series, stroke: string): uPlot.Series {
  const base = { label, stroke, width: isReference ? 1.25 : 2, points: { show: false } }
  if (look === 'bars') {
    return {
      ...base,
      width: 0,
      fill: stroke,
      paths: uPlot.paths.bars!({ size: [0.62, 40], radius: 0.15 }),
    }
  }
  return {
    ...base,
    paths: uPlot.paths.spline!(),
    ...(look === 'area' && { fill: faint(stroke) }),
    ...(isReference && { dash: [4, 4] }),
  }
}

/** The colour at 11 % opacity. */
const faint = (colour: string) =>
  colour.startsWith('#') ? `${colour}1c` : colour.replace(')', ' / 11%)')

/** A tooltip that follows the pointer. */
function tip(series: readonly Series[], says: Formats): uPlot.Plugin {
  const card = document.createElement('div')
  card.className =
    'pointer-events-none absolute z-10 hidden rounded-md bg-surface px-2.5 py-1.5 text-xs shadow-float whitespace-nowrap'
  return {
    hooks: {
      init: (plot) => plot.over.append(card),
      setCursor: (plot) => {
        const { idx, left = -1 } = plot.cursor
        card.classList.toggle('hidden', idx === null || idx === undefined || left < 0)
        if (idx === null || idx === undefined) return
        card.replaceChildren(line('text-ink-faint', says.current.sayX(plot.data[0][idx]!)))
        for (const [place, { label }] of series.entries()) {
          const value = plot.data[place + 1]?.[idx]
          if (value !== null && value !== undefined) {
            card.append(line('font-medium figures', `${label}: ${says.current.sayY(value)}`))
          }
        }
        const room = plot.over.clientWidth - card.offsetWidth
        card.style.transform = `translate(${Math.min(Math.max(0, left + 12), Math.max(0, room))}px, 4px)`
      },
    },
  }
}

function line(className: string, text: string): HTMLElement {
  const element = document.createElement('div')
  element.className = className
  element.textContent = text
  return element
}
