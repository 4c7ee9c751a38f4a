import { sql } from 'drizzle-orm'
import type { Database } from '../../database/connect.ts'
import type { Row } from '../../database/row.ts'

/** An enqueued job that has not started. */
export interface JobOrder {
  readonly id: string
  readonly job: string
  readonly payload: unknown
  readonly dedupeKey: string | undefined
  readonly enqueuedAt: Date
  readonly dueAt: Date
}

export const ORDERS_CHANNEL = 'placard_job_orders'

/** Part of the caller's transaction. False if one with the same key is waiting. */
export async function addOrder(db: Database, order: JobOrder): Promise<boolean> {
  const { rowCount } = await db.execute(sql`
    with added as (
      insert into job_orders (id, job, dedupe_key, payload, enqueued_at, due_at)
      values (${order.id}, ${order.job}, ${order.dedupeKey ?? null},
              ${JSON.stringify(order.payload)}::jsonb, ${order.enqueuedAt}, ${order.dueAt})
      on conflict (job, dedupe_key) where dedupe_key is not null do nothing
      returning 1
    )
    select pg_notify(${ORDERS_CHANNEL}, '') from added`)
  return rowCount === 1
}

/** A requeued dead letter takes its key again. False if another job has it. */
export async function takeKeyAgain(db: Database, order: JobOrder): Promise<boolean> {
  const { rowCount } = await db.execute(sql`
    insert into job_orders (id, job, dedupe_key, payload, enqueued_at, due_at, is_relayed, relay_after)
    values (${order.id}, ${order.job}, ${order.dedupeKey ?? null},
            ${JSON.stringify(order.payload)}::jsonb, ${order.enqueuedAt}, ${order.dueAt}, true,
            now() + ${LOOK_AGAIN}::interval)
    on conflict do nothing`)
  return rowCount === 1
}

/** Limit for a relay to hand over what it took, and for a due job to start. */
const RELAY_TIME = '30 seconds'
const LOOK_AGAIN = '5 minutes'

/**
 * Takes orders that no queue has, and orders overdue for so long that the queue may have lost them.
 * Records the previous hand-over in the same statement. That record may be lost in a crash: an order
 * may be handed over twice.
 */
export async function takeOrders(
  db: Database,
  { limit, handedOver }: { readonly limit: number; readonly handedOver: readonly string[] },
): Promise<readonly JobOrder[]> {
  const { rows } = await db.execute<OrderRow>(sql`
    with relayed as (
      update job_orders
         set is_relayed = true, relay_after = greatest(due_at, now()) + ${LOOK_AGAIN}::interval
       where id = any(${sql.param(handedOver)}::uuid[]) and relay_after > now()
    )
    update job_orders set relay_after = now() + ${RELAY_TIME}::interval
      from (select set_config('synchronous_commit', 'off', true)) as hurried
     where id in (
       select id from job_orders where relay_after <= now()
        order by relay_after limit ${limit} for update skip locked)
    returning ${ORDER}`)
  return rows.map(orderOf).toSorted(firstDueFirst)
}

/** Ids grow, so among equal times the first order comes first. */
function firstDueFirst(a: JobOrder, b: JobOrder): number {
  const difference = a.dueAt.getTime() - b.dueAt.getTime()
  if (difference !== 0) return difference
  return a.id < b.id ? -1 : 1
}

/** The jobs have started, so their keys are free. */
export async function deleteOrders(db: Database, ids: readonly string[]): Promise<void> {
  await db.execute(sql`delete from job_orders where id = any(${sql.param(ids)}::uuid[])`)
}

export async function findOrder(db: Database, id: string): Promise<JobOrder | undefined> {
  const { rows } = await db.execute<OrderRow>(sql`select ${ORDER} from job_orders where id = ${id}`)
  return rows[0] && orderOf(rows[0])
}

export interface OpenOrder {
  readonly id: string
  readonly job: string
  readonly dueAt: Date
}

/** Orders that may not have reached their queue. */
export async function listOpenOrders(db: Database, limit: number): Promise<readonly OpenOrder[]> {
  const { rows } = await db.execute<Pick<OrderRow, 'id' | 'job' | 'due_at'>>(sql`
    select id, job, due_at from job_orders where not is_relayed order by due_at limit ${limit}`)
  return rows.map(({ id, job, due_at: dueAt }) => ({ id, job, dueAt: new Date(dueAt) }))
}

const ORDER = sql.raw('id, job, payload, dedupe_key, enqueued_at, due_at')

type OrderRow = Row<{
  readonly id: string
  readonly job: string
  readonly payload: unknown
  readonly dedupe_key: string | null
  readonly enqueued_at: string
  readonly due_at: string
}>

const orderOf = (row: OrderRow): JobOrder => ({
  id: row.id,
  job: row.job,
  payload: row.payload,
  dedupeKey: row.dedupe_key ?? undefined,
  enqueuedAt: new Date(row.enqueued_at),
  dueAt: new Date(row.due_at),
})
