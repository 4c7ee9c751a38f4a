import * as contract from '@placard/contract/targeting'
import { httpProblems } from '../../../platform/http/problems.ts'
import { Problem } from '../../../platform/problem.ts'
import { defineResource } from '../../../platform/resources/index.ts'
import { campaignProblems, targetingProblems } from '../problems.ts'
import { shareLockCampaign } from '../store.ts'
import { campaigns, campaignTargetingRules } from '../tables.ts'
import { judgeRule, type RuleInput } from './targeting.ts'

export const targetingRule = defineResource({
  noun: 'targeting rule',
  plural: 'targeting rules',
  tag: 'targeting',
  permission: 'targeting',
  table: campaignTargetingRules,
  view: contract.TargetingRule,
  create: contract.CreateTargetingRule,
  patch: contract.PatchTargetingRule,
  query: contract.TargetingRuleQuery,
  references: {
    campaignId: { to: campaigns, problem: campaignProblems.notFound, givesAccount: true },
  },
  problems: targetingProblems,
  async complete(db, row) {
    if (!(await shareLockCampaign(db, row.campaignId))) {
      throw new Problem(campaignProblems.notFound, 'The campaign is deleted. First restore it.')
    }
    return { value: storedValue(row) }
  },
})

function storedValue(rule: RuleInput): contract.RuleValue {
  const judged = judgeRule(rule)
  if (judged.verdict === 'valid') return judged.value
  if (judged.verdict === 'wrong-operator') {
    throw new Problem(
      targetingProblems.invalidOperator,
      `${rule.ruleType} goes with ${judged.allowed.join(', ')}, not with ${rule.operator}.`,
    )
  }
  throw new Problem(httpProblems.invalidRequest, 'The value is not valid.', judged.faults)
}
