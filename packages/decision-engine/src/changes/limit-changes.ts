import type { DecisionIndex } from '../columns/catalogue.ts'
import { NONE } from '../columns/candidate-rows.ts'
import type { CapScope, FrequencyCap, FrequencyWindow } from './records.ts'

export const WINDOWS: readonly FrequencyWindow[] = ['Hour', 'Day', 'Week', 'Month', 'Lifetime']

export function putCap(index: DecisionIndex, cap: FrequencyCap): void {
  removeCap(index, cap.key)
  const row = index.caps.take()
  index.caps.setKey(row, cap.key)
  index.caps.setScopeKey(row, cap.scopeKey)
  index.caps.setMax(row, cap.impressionsMax)
  index.caps.setWindow(row, WINDOWS.indexOf(cap.window))
  index.caps.setNext(row, firstCap(index, cap.scope, cap.scopeKey))
  index.capsByKey.set(cap.key, cap)
  index.capRows.set(cap.key, row)
  setFirstCap(index, cap, row)
}

export function removeCap(index: DecisionIndex, key: number): void {
  const cap = index.capsByKey.get(key)
  const row = index.capRows.get(key)
  if (cap === undefined || row === undefined) return
  const next = index.caps.next(row)
  const first = firstCap(index, cap.scope, cap.scopeKey)
  if (first === row) setFirstCap(index, cap, next)
  else {
    let before = first
    while (index.caps.next(before) !== row) {
      before = index.caps.next(before)
    }
    index.caps.setNext(before, next)
  }
  index.capsByKey.delete(key)
  index.capRows.delete(key)
  index.caps.release(row)
}

function firstCap(index: DecisionIndex, scope: CapScope, key: number): number {
  if (scope === 'ad') return index.adCaps.get(key) ?? NONE
  if (scope === 'campaign') return index.campaignCaps.get(key) ?? NONE
  return index.advertisers.firstCap(advertiserFor(index, key))
}

/** A cap may come before its target: chain heads are kept by key and copied to the target's row. */
function setFirstCap(index: DecisionIndex, cap: FrequencyCap, row: number): void {
  if (cap.scope === 'advertiser') {
    index.advertisers.setFirstCap(advertiserFor(index, cap.scopeKey), row)
    return
  }
  const heads = cap.scope === 'ad' ? index.adCaps : index.campaignCaps
  if (row === NONE) heads.delete(cap.scopeKey)
  else heads.set(cap.scopeKey, row)
  if (cap.scope === 'ad') {
    const candidate = index.adRows.get(cap.scopeKey)
    if (candidate !== undefined) index.candidates.setFirstCap(candidate, row)
    return
  }
  const campaign = index.campaignRows.get(cap.scopeKey)
  if (campaign === undefined) return
  index.campaigns.setFirstCap(campaign, row)
}

export function advertiserFor(index: DecisionIndex, key: number): number {
  const known = index.advertiserRows.get(key)
  if (known !== undefined) return known
  const row = index.advertisers.take()
  index.advertisers.setKey(row, key)
  index.advertisers.setFirstCap(row, NONE)
  index.advertiserRows.set(key, row)
  return row
}
