import type { Database } from '../../../platform/database/connect.ts'
import { Problem } from '../../../platform/problem.ts'
import { getRow, present, type Values } from '../../../platform/resources/index.ts'
import type { CampaignTarget } from '../placements/operations.ts'
import { targetingProblems } from '../problems.ts'
import { targetingRule } from './resources.ts'

/** A rule of this campaign. Under another campaign's path it is not found. */
export async function getRuleOf(
  db: Database,
  { campaignId, targetingRuleId, actor }: CampaignTarget & { readonly targetingRuleId: string },
): Promise<Values> {
  const rule = await getRow(db, targetingRule, { publicId: targetingRuleId, actor })
  if (present(targetingRule, rule).campaignId === campaignId) return rule
  throw new Problem(targetingProblems.notFound, `targeting rule ${targetingRuleId}`)
}
