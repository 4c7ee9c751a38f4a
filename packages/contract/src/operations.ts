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
  waiting: Type.Integer({ description: 'Due, not started' }),
  delayed: Type.Integer({ description: 'Not due yet: delayed, or waiting for the next attempt' }),
  active: Whole,
  failed: Type.Integer({ description: 'Dead letters' }),
  oldestSeconds: Type.Number({ description: 'Seconds since the oldest waiting one was due' }),
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
      dedupeKey: nullable(
        Type.String({
          description: 'Of runs with the same key one waits at a time',
          examples: ['banner-sync-202601011200'],
        }),
      ),
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
  silentSeconds: Type.Number({ description: 'Seconds since its last heartbeat' }),
  state: Type.Enum(['alive', 'silent'], { description: '`silent` after 30 s without a heartbeat' }),
  isAnswering: Type.Boolean({ description: 'True for the node that answers this call' }),
  memoryBytes: Whole,
  index: nullable(
    Type.Object({
      version: Whole,
      ads: Whole,
      lagSeconds: Type.Number({
        description: 'Time from the commit of the newest change to its use on this node',
      }),
      ageSeconds: Type.Number({
        description: 'Seconds since its index last agreed with the database',
      }),
    }),
  ),
})
export const NodeList = Type.Object({ items: Type.Array(Node) })

export const SetAsideRow = Type.Object({
  reader: Type.String({
    description: 'The reader that refuses the row, such as `decisions.index`',
  }),
  entity: Type.String({ description: 'Table of the row' }),
  id: nullable(Type.String({ format: 'uuid', description: 'Id of the row, or of its campaign' })),
  reason: Type.String(),
  since: Instant,
})
/** At most 200: more than that is an incident, not a few bad rows. */
export const SetAsideRows = Type.Object({ items: Type.Array(SetAsideRow) })

export const SettingInForce = Type.Object({
  name: Type.String(),
  about: Type.String(),
  value: nullable(
    Type.String({ description: 'Absent for secrets; credentials in addresses are removed' }),
  ),
  isSet: Type.Boolean(),
  isSecret: Type.Boolean(),
  source: oneOf(['default', 'environment']),
})
export const SettingList = Type.Object({ items: Type.Array(SettingInForce) })
