import {
  ADVERTISER,
  CAMPAIGN,
  CAP,
  type DecisionIndex,
  NONE,
  CANDIDATE,
} from '../columns/catalogue.ts'
import type { CapScope, FrequencyCap, FrequencyWindow } from './records.ts'

export const WINDOWS: readonly FrequencyWindow[] = ['Hour', 'Day', 'Week', 'Month', 'Lifetime']

export function putCap(index: DecisionIndex, cap: FrequencyCap): void {
  removeCap(index, cap.key)
  const row = index.caps.take()
  const at = row * CAP.width
  index.caps.f64[at + CAP.key] = cap.key
  index.caps.f64[at + CAP.scopeKey] = cap.scopeKey
  index.caps.i32[at * 2 + CAP.max] = cap.impressionsMax
  index.caps.i32[at * 2 + CAP.window] = WINDOWS.indexOf(cap.window)
  index.caps.i32[at * 2 + CAP.next] = firstCap(index, cap.scope, cap.scopeKey)
  index.capsByKey.set(cap.key, cap)
  index.capRows.set(cap.key, row)
  setFirstCap(index, cap, row)
}

export function removeCap(index: DecisionIndex, key: number): void {
  const cap = index.capsByKey.get(key)
  const row = index.capRows.get(key)
  if (cap === undefined || row === undefined) return
  const { i32 } = index.caps
  const next = i32[row * CAP.width * 2 + CAP.next]!
  const first = firstCap(index, cap.scope, cap.scopeKey)
  if (first === row) setFirstCap(index, cap, next)
  else {
    let before = first
    while (i32[before * CAP.width * 2 + CAP.next] !== row) {
      before = i32[before * CAP.width * 2 + CAP.next]!
    }
    i32[before * CAP.width * 2 + CAP.next] = next
  }
  index.capsByKey.delete(key)
  index.capRows.delete(key)
  index.caps.release(row)
}

function firstCap(index: DecisionIndex, scope: CapScope, key: number): number {
  if (scope === 'ad') return index.adCaps.get(key) ?? NONE
  if (scope === 'campaign') return index.campaignCaps.get(key) ?? NONE
  return index.advertisers.i32[capOfAdvertiser(index, key)]!
}

/** Caps may come before what they cap: heads are kept by key, and copied to the row if there is one. */
function setFirstCap(index: DecisionIndex, cap: FrequencyCap, row: number): void {
  if (cap.scope === 'advertiser') {
    index.advertisers.i32[capOfAdvertiser(index, cap.scopeKey)] = row
    return
  }
  const heads = cap.scope === 'ad' ? index.adCaps : index.campaignCaps
  if (row === NONE) heads.delete(cap.scopeKey)
  else heads.set(cap.scopeKey, row)
  if (cap.scope === 'ad') {
    const candidate = index.adRows.get(cap.scopeKey)
    if (candidate !== undefined)
      index.candidates.i32[candidate * CANDIDATE.width * 2 + CANDIDATE.firstCap] = row
    return
  }
  const campaign = index.campaignRows.get(cap.scopeKey)
  if (campaign === undefined) return
  index.campaigns.i32[campaign * CAMPAIGN.width * 2 + CAMPAIGN.firstCap] = row
}

/** Where the head of an advertiser's caps is. */
function capOfAdvertiser(index: DecisionIndex, key: number): number {
  return advertiserFor(index, key) * ADVERTISER.width * 2 + ADVERTISER.firstCap
}

export function advertiserFor(index: DecisionIndex, key: number): number {
  const known = index.advertiserRows.get(key)
  if (known !== undefined) return known
  const row = index.advertisers.take()
  index.advertisers.f64[row * ADVERTISER.width + ADVERTISER.key] = key
  index.advertisers.i32[row * ADVERTISER.width * 2 + ADVERTISER.firstCap] = NONE
  index.advertiserRows.set(key, row)
  return row
}
