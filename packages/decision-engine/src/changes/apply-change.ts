import * as campaigns from './campaign-changes.ts'
import type { DecisionIndex } from '../columns/catalogue.ts'
import * as creatives from './creative-changes.ts'
import * as inventory from './inventory-changes.ts'
import * as limits from './limit-changes.ts'
import type { Change } from './records.ts'

/**
 * Applies one row of the change feed in place. Rows may come in any order and more than once: the
 * index answers like one built from the latest rows.
 */
export function applyChange(index: DecisionIndex, change: Change): void {
  index.version++
  if ('put' in change) put(index, change)
  else remove(index, change)
}

function put(index: DecisionIndex, change: Extract<Change, { put: string }>): void {
  switch (change.put) {
    case 'site':
      return inventory.putSite(index, change.record)
    case 'placement':
      return inventory.putPlacement(index, change.record)
    case 'campaign':
      return campaigns.putCampaign(index, change.record)
    case 'campaign-placement':
      return campaigns.putCampaignPlacement(index, change.record)
    case 'ad':
      return creatives.putAd(index, change.record)
    case 'banner':
      return creatives.putBanner(index, change.record)
    case 'assignment':
      return creatives.putAssignment(index, change.record)
    case 'rule':
      return campaigns.putRule(index, change.record)
    case 'cap':
      return limits.putCap(index, change.record)
    case 'advertiser-block':
      return inventory.setAdvertiserBlock(index, change.record, true)
    case 'ad-product-block':
      return inventory.setAdProductBlock(index, change.record, true)
    case 'approval':
      return inventory.setApproval(index, change.record, true)
    case 'spend-verdict':
      return campaigns.putSpendVerdict(index, change.record)
    case 'click-odds':
      return creatives.putClickOdds(index, change.record)
    case 'conversion-odds':
      return creatives.putConversionOdds(index, change.record)
    case 'bid-multiplier':
      return campaigns.putBidMultiplier(index, change.record)
  }
}

function remove(index: DecisionIndex, change: Extract<Change, { remove: string }>): void {
  switch (change.remove) {
    case 'site':
      return inventory.removeSite(index, change.key)
    case 'placement':
      return inventory.removePlacement(index, change.key)
    case 'campaign':
      return campaigns.removeCampaign(index, change.key)
    case 'ad':
      return creatives.removeAd(index, change.key)
    case 'banner':
      return creatives.removeBanner(index, change.key)
    case 'assignment':
      return creatives.removeAssignment(index, change.key)
    case 'rule':
      return campaigns.removeRule(index, change.record)
    case 'cap':
      return limits.removeCap(index, change.key)
    case 'campaign-placement':
      return campaigns.removeCampaignPlacement(index, change.record)
    case 'advertiser-block':
      return inventory.setAdvertiserBlock(index, change.record, false)
    case 'ad-product-block':
      return inventory.setAdProductBlock(index, change.record, false)
    case 'approval':
      return inventory.setApproval(index, change.record, false)
  }
}
