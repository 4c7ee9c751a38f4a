import type { Pool, PoolClient } from 'pg'
import type { Database } from '../../../platform/database/connect.ts'
import { addQuarantined } from '../settlement/store-quarantine.ts'
import { defaultLimitMicros } from './value-bound.ts'
import { attribute, ATTRIBUTION_DEFAULTS, type AttributionTerms } from './attribution.ts'
import type { Conversion, StoredCredit, StoredTouch } from './conversion.ts'
import { makePartitions } from '../settlement/store-partitions.ts'
import {
  addConversion,
  addCredits,
  type ConversionBound,
  findConversionBound,
  listClicks,
  listTouchesOf,
  onClient,
  type Showing,
  type TouchQuery,
} from './store.ts'

export interface ConvertDeps {
  readonly pool: Pool
  readonly terms?: AttributionTerms
  /**
   * Impressions of the advertiser that this user was served, from auction records. Newest first,
   * bounded.
   */
  listShowings(query: TouchQuery): Promise<readonly Showing[]>
  /** Called for a credited purchase, in the transaction that counts it. */
  purchased?(db: Database, purchase: CreditedPurchase): Promise<void>
  /** Called when the value exceeds the advertiser's bound. */
  conversionHeld?(held: HeldConversion): Promise<void>
}

export interface CreditedPurchase {
  readonly userKey: string
  /** Where the credited ad was shown. */
  readonly placementKey: number
  readonly atMs: number
}

export interface HeldConversion {
  readonly conversion: Conversion
  readonly limitMicros: bigint
  readonly advertiser: ConversionBound
}

/** A conversion above the bound is quarantined and reported. It counts for nobody. */
async function isHeld(deps: ConvertDeps, conversion: Conversion): Promise<boolean> {
  const { valueMicros, advertiserKey } = conversion
  if (valueMicros === undefined || conversion.label !== 'valid') return false
  const advertiser = await findConversionBound(deps.pool, advertiserKey)
  if (advertiser === undefined) return false
  const limitMicros = advertiser.limitMicros ?? defaultLimitMicros(advertiser.currency)
  if (valueMicros <= limitMicros) return false
  const receivedAt = new Date(conversion.receivedAtMs)
  const isNew = await addQuarantined(deps.pool, {
    eventId: conversion.eventId,
    reason: 'value',
    detail: `worth ${valueMicros} micros, at most ${limitMicros} are expected of advertiser ${advertiser.publicId}`,
    event: JSON.stringify({ ...conversion, valueMicros: String(valueMicros) }),
    receivedAt,
    quarantinedAt: receivedAt,
  })
  if (isNew) await deps.conversionHeld?.({ conversion, limitMicros, advertiser })
  return true
}

/** Stores a conversion and its credits once. Returns false for a repeat. */
export async function convert(deps: ConvertDeps, conversion: Conversion, shown?: Showing) {
  if (await isHeld(deps, conversion)) return false
  const terms = deps.terms ?? ATTRIBUTION_DEFAULTS
  await makePartitions(deps.pool, [conversion.decisionDay])
  const showings = await showingsBefore(deps, { conversion, shown, terms })
  const client = await deps.pool.connect()
  let isBroken = true
  try {
    await client.query('begin')
    const isNew = await addJudged(deps, client, { conversion, showings, terms })
    await client.query('commit')
    isBroken = false
    return isNew
  } finally {
    // Releasing a broken connection rolls its transaction back.
    client.release(isBroken)
  }
}

/** A conversion by click id whose click is not valid is stored and credited to nobody. */
async function addJudged(
  deps: ConvertDeps,
  client: PoolClient,
  { conversion, showings, terms }: Before & { readonly showings: readonly Showing[] },
): Promise<boolean> {
  const touches =
    conversion.label === 'valid' ? await touchesBefore(client, { conversion, showings, terms }) : []
  const { click, label } = conversion
  const hasClick = !click || touches.some(({ eventId }) => eventId === click.eventId)
  const judged = hasClick || label !== 'valid' ? label : 'no-click'
  const isNew = await addConversion(client, { ...conversion, label: judged }, terms.model)
  if (isNew && judged === 'valid') {
    const credits = attribute(touches, { ...terms, convertedAtMs: conversion.occurredAtMs })
    await addCredits(client, conversion, credits)
    const purchase = purchaseOf(conversion, credits)
    if (purchase !== undefined) await deps.purchased?.(onClient(client), purchase)
  }
  return isNew
}

/** Anybody may report a purchase; one that an ad is credited for tells something of the reader. */
function purchaseOf(
  { kind, userKey, occurredAtMs }: Conversion,
  [credit]: readonly StoredCredit[],
): CreditedPurchase | undefined {
  const placementKey = credit?.touch.placementKey
  if (kind !== 'purchase' || userKey === undefined || placementKey === undefined) return undefined
  return { userKey, placementKey, atMs: occurredAtMs }
}

interface Before {
  readonly conversion: Conversion
  readonly terms: AttributionTerms
}

async function showingsBefore(
  deps: ConvertDeps,
  { conversion, shown, terms }: Before & { readonly shown: Showing | undefined },
): Promise<readonly Showing[]> {
  const own = shown ? [shown] : []
  if (conversion.userKey === undefined) return own
  const query = queryOf(conversion, conversion.userKey, terms.viewWindowMs)
  return [...own, ...(await deps.listShowings(query))]
}

/** The link and the user may lead to the same touch. */
async function touchesBefore(
  client: PoolClient,
  { conversion, showings, terms }: Before & { readonly showings: readonly Showing[] },
): Promise<StoredTouch[]> {
  const { userKey, advertiserKey } = conversion
  const shown = await listTouchesOf(client, advertiserKey, showings)
  const clicked =
    userKey === undefined
      ? []
      : await listClicks(client, queryOf(conversion, userKey, terms.clickWindowMs))
  return [...new Map([...shown, ...clicked].map((touch) => [touch.eventId, touch])).values()]
}

const queryOf = (
  { advertiserKey, occurredAtMs }: Conversion,
  userKey: string,
  windowMs: number,
): TouchQuery => ({ advertiserKey, userKey, fromMs: occurredAtMs - windowMs, toMs: occurredAtMs })
