import type { Pool, PoolClient } from 'pg'
import { attribute, ATTRIBUTION_DEFAULTS, type AttributionTerms } from './attribution.ts'
import type { Conversion, StoredTouch } from './conversion.ts'
import { makePartitions } from '../settlement/store-partitions.ts'
import {
  addConversion,
  addCredits,
  listClicks,
  listTouchesOf,
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
}

/** Stores a conversion and its credits once. Returns false for a repeat. */
export async function convert(deps: ConvertDeps, conversion: Conversion, shown?: Showing) {
  const terms = deps.terms ?? ATTRIBUTION_DEFAULTS
  await makePartitions(deps.pool, [conversion.decisionDay])
  const showings = await showingsBefore(deps, { conversion, shown, terms })
  const client = await deps.pool.connect()
  let isBroken = true
  try {
    await client.query('begin')
    const isNew = await addConversion(client, conversion, terms.model)
    if (isNew && conversion.label === 'valid') {
      const touches = await touchesBefore(client, { conversion, showings, terms })
      const credits = attribute(touches, { ...terms, convertedAtMs: conversion.occurredAtMs })
      await addCredits(client, conversion, credits)
    }
    await client.query('commit')
    isBroken = false
    return isNew
  } finally {
    // Releasing a broken connection rolls its transaction back.
    client.release(isBroken)
  }
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
