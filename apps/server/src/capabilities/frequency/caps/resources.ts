import * as contract from '@placard/contract/frequency'
import { Problem } from '../../../platform/problem.ts'
import { defineResource } from '../../../platform/resources/index.ts'
import { adProblems, advertiserProblems, campaignProblems } from '../../campaigns/index.ts'
import { ads, advertisers, campaigns } from '../../campaigns/tables.ts'
import { judgeTargets } from './cap.ts'
import { capProblems } from '../problems.ts'
import { frequencyCaps } from '../tables.ts'

export const frequencyCap = defineResource({
  noun: 'frequency cap',
  plural: 'frequency caps',
  path: '/frequency/caps',
  tag: 'frequency',
  permission: 'caps',
  table: frequencyCaps,
  view: contract.FrequencyCap,
  create: contract.CreateFrequencyCap,
  patch: contract.PatchFrequencyCap,
  query: contract.FrequencyCapQuery,
  references: {
    adId: {
      to: ads,
      problem: adProblems.notFound,
      givesAccount: true,
      shows: { adName: 'name' },
    },
    campaignId: {
      to: campaigns,
      problem: campaignProblems.notFound,
      givesAccount: true,
      shows: { campaignName: 'name' },
    },
    advertiserId: {
      to: advertisers,
      problem: advertiserProblems.notFound,
      givesAccount: true,
      shows: { advertiserName: 'name' },
    },
  },
  problems: capProblems,
  check(row) {
    const targets = judgeTargets(row)
    if (targets === 'one') return
    throw new Problem(
      capProblems.targetInvalid,
      `Give exactly one of adId, campaignId and advertiserId. The request gives ${targets}.`,
    )
  },
})
