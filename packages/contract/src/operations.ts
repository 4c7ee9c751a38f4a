import { Type } from 'typebox'
import { Instant, nullable, oneOf, strict, Uuid } from './shared.ts'

const Whole = Type.Integer({ minimum: 0 })
const JobName = Type.String({
  pattern: '^[a-z][a-z0-9-]*\\.[a-z][a-z0-9_-]*$',
  maxLength: 100,
  description: 'Name of a job',
  examples: ['banner.sync_schedule_status'],
})
const Limit = Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50 }))

export const Queue = Type.Object({
  queue: Type.String(),
  waiting: Type.Integer({ description: 'Due and not started' }),
  delayed: Type.Integer({ description: 'Not due yet: delayed, or between two tries' }),
  active: Whole,
  failed: Type.Integer({ description: 'Dead letters' }),
  oldestSeconds: Type.Number({ description: 'How long the oldest one has been due' }),
})
export const QueueList = Type.Object({
  items: Type.Array(Queue),
  jobs: Type.Array(Type.Object({ job: Type.String(), queue: Type.String() })),
})

export const RunParams = strict({ jobName: JobName })
export const RunQuery = strict({ limit: Limit })
export const RunList = Type.Object({
  items: Type.Array(
    Type.Object({
      id: Type.String(),
      state: Type.String({ description: '`waiting`, `running`, `succeeded` or `failed`' }),
      dueAt: Instant,
      retries: Whole,
      progress: nullable(Type.Object({ done: Type.Number(), total: Type.Number() })),
    }),
  ),
})

export const DeadLetterQuery = strict({
  limit: Limit,
  cursor: Type.Optional(
    Type.String({
      pattern: '^[0-9]{1,16}~[A-Za-z0-9:._-]{1,200}$',
      description: 'From `nextCursor`',
    }),
  ),
})
export const DeadLetterList = Type.Object({
  items: Type.Array(
    Type.Object({
      id: Type.String(),
      job: Type.String(),
      payload: Type.Unknown(),
      reason: Type.String(),
      retries: Whole,
      enqueuedAt: Instant,
      failedAt: Instant,
    }),
  ),
  nextCursor: Type.Optional(Type.String()),
})

export const Requeue = strict({
  ids: Type.Array(Type.Union([Uuid, Type.String({ pattern: '^repeat:[a-z0-9._:-]{1,180}$' })]), {
    minItems: 1,
    maxItems: 100,
    examples: [['01890000-0000-7000-8000-000000000001']],
  }),
})
export const RequeueResult = Type.Object({
  items: Type.Array(
    Type.Object({
      id: Type.String(),
      outcome: Type.String({ description: '`requeued`, `one-waits-already` or `not-found`' }),
    }),
  ),
})

export const Node = Type.Object({
  id: Uuid,
  role: oneOf(['all', 'api', 'worker']),
  version: Type.String(),
  startedAt: Instant,
  lastSeenAt: Instant,
  silentSeconds: Type.Number({ description: 'Since its last sign of life' }),
  state: Type.Enum(['alive', 'silent'], { description: '`silent` after 30 s without a sign' }),
  isAnswering: Type.Boolean({ description: 'Whether it is the one that answers this call' }),
  memoryBytes: Whole,
  index: nullable(
    Type.Object({
      version: Whole,
      ads: Whole,
      lagSeconds: Type.Number({
        description: 'From writing the newest change to having applied it',
      }),
      ageSeconds: Type.Number({ description: 'Since it last agreed with the database' }),
    }),
  ),
})
export const NodeList = Type.Object({ items: Type.Array(Node) })

export const SetAsideRow = Type.Object({
  reader: Type.String({ description: 'What refuses the row: `decisions.index`' }),
  entity: Type.String({ description: 'The table that the row is in' }),
  id: nullable(
    Type.String({ format: 'uuid', description: 'Of the row, or of the campaign that it hangs on' }),
  ),
  reason: Type.String(),
  since: Instant,
})
/** The first 200; more than that is no longer a matter of single rows. */
export const SetAsideRows = Type.Object({ items: Type.Array(SetAsideRow) })

export const SettingInForce = Type.Object({
  name: Type.String(),
  about: Type.String(),
  value: nullable(
    Type.String({ description: 'Not of secrets, and without credentials in addresses' }),
  ),
  isSet: Type.Boolean(),
  isSecret: Type.Boolean(),
  source: oneOf(['default', 'environment']),
})
export const SettingList = Type.Object({ items: Type.Array(SettingInForce) })
