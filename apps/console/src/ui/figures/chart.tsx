import { useEffect, useLayoutEffect, useRef } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { useTheme } from '../../shell/theme.ts'

export interface Series {
  readonly label: string
  readonly values: readonly (number | null)[]
  /** What it is compared with: thin, grey, behind. */
  readonly isReference?: boolean
  readonly look?: 'area' | 'line' | 'bars'
}

interface ChartProps {
  /** What the picture shows, for those who do not see it. */
  readonly label: string
  /** Seconds since 1970 for times, else any rising numbers. */
  readonly x: readonly number[]
  readonly series: readonly Series[]
  readonly sayX: (x: number) => string
  readonly sayY: (y: number) => string
  readonly height?: number
  /** Of things that are counted: the scale has no halves. */
  readonly isCount?: boolean
}

const PALETTE = ['--series-1', '--series-3', '--series-4', '--series-5']

/** Round steps for hours of a day, and for seconds. */
const STEPS = [1, 2, 3, 4, 6, 12, 24, 900, 3_600, 10_800, 21_600, 43_200, 86_400, 172_800, 604_800]

const WHOLE_STEPS = Array.from({ length: 10 }, (_, power) =>
  [1, 2, 5].map((step) => step * 10 ** power),
).flat()

const DIGIT_PX = 6.4
const GAP_PX = 12

/** Room for the longest number of the scale, and no more. */
const widthOf = (values: readonly string[]) =>
  Math.ceil(Math.max(2, ...values.map(({ length }) => length)) * DIGIT_PX) + GAP_PX

/** The one chart: draws series over time in the colours of the theme. */
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
    // Data that moves on is set below; only another shape or theme draws anew.
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

const colourOf = (series: readonly Series[], place: number) => {
  if (series[place]!.isReference) return '--series-2'
  const drawn = series.slice(0, place).filter(({ isReference }) => !isReference).length
  return PALETTE[drawn % PALETTE.length]!
}

function Legend({ series }: Pick<ChartProps, 'series'>) {
  return (
    <figcaption className="mb-2 flex flex-wrap gap-x-4 gap-y-1 text-xs text-ink-soft">
      {series.map(({ label }, place) => (
        <span key={label} className="inline-flex items-center gap-1.5">
          <span
            className="h-2 w-2 rounded-full"
            style={{ background: `var(${colourOf(series, place)})` }}
            aria-hidden
          />
          {label}
        </span>
      ))}
    </figcaption>
  )
}

interface Says {
  readonly current: Pick<ChartProps, 'sayX' | 'sayY'>
}

interface Drawing extends Pick<ChartProps, 'series'> {
  readonly isCount: boolean | undefined
  readonly height: number
  readonly width: number
  readonly says: Says
}

function optionsOf({ series, height, width, says, isCount }: Drawing): uPlot.Options {
  const style = getComputedStyle(document.documentElement)
  const read = (name: string) => style.getPropertyValue(name).trim()
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
    series: [{}, ...series.map((one, place) => lineOf(one, read(colourOf(series, place))))],
    plugins: [tip(series, says)],
  }
}

/** Half a step more on either side: the first bar and the last are as wide as the others. */
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
    ...(look === 'area' && { fill: `${stroke}1c` }),
    ...(isReference && { dash: [4, 4] }),
  }
}

/** A small card that follows the pointer. */
function tip(series: readonly Series[], says: Says): uPlot.Plugin {
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
