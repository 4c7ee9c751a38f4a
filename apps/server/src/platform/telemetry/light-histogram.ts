import type { MetricValueWithName, Registry } from 'prom-client'

export interface HistogramOptions {
  readonly name: string
  readonly help: string
  readonly labelNames: readonly string[]
  /** Upper bounds, ascending. */
  readonly buckets: readonly number[]
  readonly registers: readonly Registry[]
}

/** One combination of labels. */
export interface Series {
  observe(value: number): void
}

/** A histogram for every request: one observation adds to three plain numbers. */
export class LightHistogram {
  readonly name: string
  private readonly options: HistogramOptions
  private readonly counted: CountedSeries[] = []

  constructor(options: HistogramOptions) {
    this.name = options.name
    this.options = options
    // The registry only reads a metric's name and values.
    for (const registry of options.registers) registry.registerMetric(this as never)
  }

  /** Keep the series: looking it up costs more than observing. */
  series(...labels: readonly string[]): Series {
    const named = this.options.labelNames.map((name, at) => [name, labels[at]!])
    const series = new CountedSeries(Object.fromEntries(named), this.options.buckets)
    this.counted.push(series)
    return series
  }

  async get() {
    const { name, help } = this.options
    const values = this.counted.flatMap((series) => series.values(name))
    return { name, help, type: 'histogram', aggregator: 'sum', values }
  }
}

class CountedSeries implements Series {
  private readonly labels: Readonly<Record<string, string>>
  private readonly bounds: readonly number[]
  private readonly counts: Float64Array
  private sum = 0

  constructor(labels: Readonly<Record<string, string>>, bounds: readonly number[]) {
    this.labels = labels
    this.bounds = bounds
    this.counts = new Float64Array(bounds.length + 1)
  }

  observe(value: number): void {
    let at = 0
    while (at < this.bounds.length && value > this.bounds[at]!) at++
    this.counts[at]!++
    this.sum += value
  }

  values(name: string): MetricValueWithName<string>[] {
    let count = 0
    const buckets = [...this.counts].map((own, at) => {
      count += own
      const labels = { le: this.bounds[at] ?? '+Inf', ...this.labels }
      return { metricName: `${name}_bucket`, labels, value: count }
    })
    return [
      ...buckets,
      { metricName: `${name}_sum`, labels: this.labels, value: this.sum },
      { metricName: `${name}_count`, labels: this.labels, value: count },
    ]
  }
}
