import { ADVERTISER, CAMPAIGN, CAP, type DecisionIndex, NONE, OFFER } from '../columns/catalogue.ts'
import type { CapScope, FrequencyCap, FrequencyWindow } from './records.ts'

export const WINDOWS: readonly FrequencyWindow[] = ['Hour', 'Day', 'Week', 'Month', 'Lifetime']

export function putCap(index: DecisionIndex, cap: FrequencyCap): void {
  removeCap(index, cap.key)
  const slot = index.caps.take()
  const at = slot * CAP.lanes
  index.caps.f64[at + CAP.key] = cap.key
  index.caps.f64[at + CAP.scopeKey] = cap.scopeKey
  index.caps.i32[at * 2 + CAP.max] = cap.impressionsMax
  index.caps.i32[at * 2 + CAP.window] = WINDOWS.indexOf(cap.window)
  index.caps.i32[at * 2 + CAP.next] = firstCap(index, cap.scope, cap.scopeKey)
  index.capsByKey.set(cap.key, cap)
  index.capSlots.set(cap.key, slot)
  setFirstCap(index, cap, slot)
}

export function removeCap(index: DecisionIndex, key: number): void {
  const cap = index.capsByKey.get(key)
  const slot = index.capSlots.get(key)
  if (cap === undefined || slot === undefined) return
  const { i32 } = index.caps
  const next = i32[slot * CAP.lanes * 2 + CAP.next]!
  const first = firstCap(index, cap.scope, cap.scopeKey)
  if (first === slot) setFirstCap(index, cap, next)
  else {
    let before = first
    while (i32[before * CAP.lanes * 2 + CAP.next] !== slot) {
      before = i32[before * CAP.lanes * 2 + CAP.next]!
    }
    i32[before * CAP.lanes * 2 + CAP.next] = next
  }
  index.capsByKey.delete(key)
  index.capSlots.delete(key)
  index.caps.release(slot)
}

function firstCap(index: DecisionIndex, scope: CapScope, key: number): number {
  if (scope === 'ad') return index.adCaps.get(key) ?? NONE
  if (scope === 'campaign') return index.campaignCaps.get(key) ?? NONE
  return index.advertisers.i32[capOfAdvertiser(index, key)]!
}

/** Caps may come before what they cap: heads are kept by key, and copied to the row if there is one. */
function setFirstCap(index: DecisionIndex, cap: FrequencyCap, slot: number): void {
  if (cap.scope === 'advertiser') {
    index.advertisers.i32[capOfAdvertiser(index, cap.scopeKey)] = slot
    return
  }
  const heads = cap.scope === 'ad' ? index.adCaps : index.campaignCaps
  if (slot === NONE) heads.delete(cap.scopeKey)
  else heads.set(cap.scopeKey, slot)
  if (cap.scope === 'ad') {
    const offer = index.adSlots.get(cap.scopeKey)
    if (offer !== undefined) index.offers.i32[offer * OFFER.lanes * 2 + OFFER.firstCap] = slot
    return
  }
  const campaign = index.campaignSlots.get(cap.scopeKey)
  if (campaign === undefined) return
  index.campaigns.i32[campaign * CAMPAIGN.lanes * 2 + CAMPAIGN.firstCap] = slot
}

/** Where the head of an advertiser's caps is. */
function capOfAdvertiser(index: DecisionIndex, key: number): number {
  return advertiserFor(index, key) * ADVERTISER.lanes * 2 + ADVERTISER.firstCap
}

export function advertiserFor(index: DecisionIndex, key: number): number {
  const known = index.advertiserSlots.get(key)
  if (known !== undefined) return known
  const slot = index.advertisers.take()
  index.advertisers.f64[slot * ADVERTISER.lanes + ADVERTISER.key] = key
  index.advertisers.i32[slot * ADVERTISER.lanes * 2 + ADVERTISER.firstCap] = NONE
  index.advertiserSlots.set(key, slot)
  return slot
}
