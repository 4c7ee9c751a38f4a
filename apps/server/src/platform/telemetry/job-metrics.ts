import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { Clock } from '../clock.ts'
import type { JobObserver, Jobs, QueueCounts } from '../jobs/job.ts'
import type { RelayObserver } from '../outbox/relay.ts'

export function observeJobs(registry: Registry): JobObserver {
  const duration = new Histogram({
    name: 'placard_job_duration_seconds',
    help: 'Time that a run of a job took',
    labelNames: ['job', 'result'],
    buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 30, 120, 600],
    registers: [registry],
  })
  const started = new Counter({
    name: 'placard_jobs_started_total',
    help: 'Runs of jobs that were begun',
    labelNames: ['job'],
    registers: [registry],
  })
  return {
    started: (job) => started.inc({ job }),
    succeeded: (job, ms) => duration.observe({ job, result: 'succeeded' }, ms / 1_000),
    failed: (job, ms) => duration.observe({ job, result: 'failed' }, ms / 1_000),
  }
}

const QUEUE_STATES = ['waiting', 'delayed', 'active', 'failed'] as const

/** Depth and age of the queues, read when the metrics are. */
export function measureQueues(registry: Registry, jobs: Pick<Jobs, 'counts'>): void {
  const oldest = new Gauge({
    name: 'placard_queue_oldest_seconds',
    help: 'How long the oldest waiting job has been due',
    labelNames: ['queue'],
    registers: [registry],
  })
  const unread = new Counter({
    name: 'placard_queue_reads_failed_total',
    help: 'Times that the queues could not be counted',
    registers: [registry],
  })
  const show = (depth: Gauge, { queue, oldestSeconds, ...counts }: QueueCounts) => {
    for (const state of QUEUE_STATES) depth.set({ queue, state }, counts[state])
    oldest.set({ queue }, oldestSeconds)
  }
  // oxlint-disable-next-line no-new -- the registry keeps it
  new Gauge({
    name: 'placard_queue_jobs',
    help: 'Jobs in a queue by state; failed ones are dead letters',
    labelNames: ['queue', 'state'],
    registers: [registry],
    async collect() {
      try {
        for (const counts of await jobs.counts()) show(this, counts)
      } catch {
        unread.inc()
      }
    },
  })
}

interface RelayMetricsDeps {
  readonly registry: Registry
  readonly clock: Clock
  readonly log: { warn(fields: object, message: string): void }
}

export function observeRelay({ registry, clock, log }: RelayMetricsDeps): RelayObserver {
  const delivered = new Counter({
    name: 'placard_outbox_events_total',
    help: 'Events handed to a sink',
    labelNames: ['sink'],
    registers: [registry],
  })
  const failures = new Counter({
    name: 'placard_outbox_failures_total',
    help: 'Deliveries to a sink that must be tried again',
    labelNames: ['sink'],
    registers: [registry],
  })
  const waiting = new Map<string, Date | undefined>()
  const lag = new Gauge({
    name: 'placard_outbox_lag_seconds',
    help: 'Age of the oldest event that a sink has not got, where this process leads',
    labelNames: ['sink'],
    registers: [registry],
    collect() {
      for (const [sink, since] of waiting) lag.set({ sink }, ageSeconds(clock, since))
    },
  })
  return {
    delivered: (sink, events) => delivered.inc({ sink }, events),
    waiting: (sink, since) => waiting.set(sink, since),
    failed: (sink, error) => {
      failures.inc({ sink })
      log.warn({ err: error, sink }, 'outbox delivery failed')
    },
  }
}

const ageSeconds = (clock: Clock, since: Date | undefined): number =>
  since ? Math.max(0, clock.now().getTime() - since.getTime()) / 1_000 : 0
