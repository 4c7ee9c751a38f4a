import { type Delivery, DELIVERY_CODES } from '@placard/contract/delivery'
import { and, eq, inArray, ne, or, type SQL, sql } from 'drizzle-orm'
import type { Database } from '../../platform/database/connect.ts'
import { campaignDelivery } from '../decisions/tables.ts'
import { IDLE_TEXT, NOT_CHECKED_TEXT, OTHER_CHANNEL_TEXT, startText } from './delivery.ts'
import { campaigns } from './tables.ts'

/** Whether campaigns deliver: by their status, else as it was checked last. */
export async function readDelivery(
  db: Database,
  keys: readonly bigint[],
): Promise<ReadonlyMap<bigint, { readonly delivery: Delivery }>> {
  const rows = await db
    .select({
      id: campaigns.id,
      status: campaigns.status,
      channel: campaigns.channel,
      startsAt: campaigns.startsAt,
      state: campaignDelivery.state,
      code: campaignDelivery.code,
      text: campaignDelivery.text,
      checkedAt: campaignDelivery.checkedAt,
    })
    .from(campaigns)
    .leftJoin(campaignDelivery, eq(campaignDelivery.campaignId, campaigns.id))
    .where(inArray(campaigns.id, [...keys]))
  return new Map(rows.map((row) => [row.id, { delivery: deliveryOf(row) }]))
}

interface Checked {
  readonly status: keyof typeof IDLE_TEXT | 'active'
  readonly channel: string
  readonly startsAt: Date | null
  readonly state: Delivery['state'] | null
  readonly code: Delivery['code']
  readonly text: string | null
  readonly checkedAt: Date | null
}

function deliveryOf({ status, channel, startsAt, ...checked }: Checked): Delivery {
  if (status === 'scheduled') return idle(status, `it starts ${startText(startsAt ?? undefined)}`)
  if (status !== 'active') return idle(status, IDLE_TEXT[status])
  if (channel !== 'onsite') return idle('other-channel', OTHER_CHANNEL_TEXT)
  const { state, code, text, checkedAt } = checked
  if (state === null || text === null || checkedAt === null) {
    return idle('not-checked', NOT_CHECKED_TEXT)
  }
  const isCode = DELIVERY_CODES.some((known) => known === code)
  const isInstant = !Number.isNaN(checkedAt.getTime())
  return {
    state,
    code: isCode ? code : null,
    text,
    checkedAt: isInstant ? checkedAt.toISOString() : null,
  }
}

const idle = (code: NonNullable<Delivery['code']>, text: string): Delivery => ({
  state: 'not-delivering',
  code,
  text: `Not delivering: ${text}`,
  checkedAt: null,
})

/** Campaigns in this state of delivery. */
export function delivers(state: unknown): SQL {
  const checked = sql`exists (select from ${campaignDelivery}
    where ${campaignDelivery.campaignId} = ${campaigns.id} and ${campaignDelivery.state} = ${state})`
  const runs = and(eq(campaigns.status, 'active'), eq(campaigns.channel, 'onsite'))
  if (state !== 'not-delivering') return and(runs, checked)!
  const unchecked = sql`not exists (select from ${campaignDelivery}
    where ${campaignDelivery.campaignId} = ${campaigns.id})`
  return or(ne(campaigns.status, 'active'), ne(campaigns.channel, 'onsite'), checked, unchecked)!
}
