import * as contract from '@placard/contract/campaigns'
import { defineResource } from '../../platform/resources/index.ts'
import { accountProblems } from '../accounts/index.ts'
import { accounts } from '../accounts/tables.ts'
import { advertiserProblems } from './problems.ts'
import { advertisers } from './tables.ts'

export const advertiser = defineResource({
  noun: 'advertiser',
  plural: 'advertisers',
  tag: 'advertisers',
  permission: 'advertisers',
  table: advertisers,
  view: contract.Advertiser,
  create: contract.CreateAdvertiser,
  patch: contract.PatchAdvertiser,
  query: contract.AdvertiserQuery,
  references: {
    accountId: { to: accounts, problem: accountProblems.accountNotFound, givesAccount: true },
  },
  searches: ['name'],
  problems: advertiserProblems,
})
