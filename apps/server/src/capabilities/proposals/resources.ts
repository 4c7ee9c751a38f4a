import * as contract from '@placard/contract/proposals'
import { strict } from '@placard/contract/shared'
import { defineResource } from '../../platform/resources/index.ts'
import { accountProblems } from '../accounts/index.ts'
import { accounts } from '../accounts/tables.ts'
import { proposalProblems } from './problems.ts'
import { proposals } from './tables.ts'

/** A proposal belongs to the account of the row it changes. */
export const proposal = defineResource({
  noun: 'proposal',
  plural: 'proposals',
  tag: 'proposals',
  permission: 'proposals',
  table: proposals,
  view: contract.Proposal,
  create: strict({}),
  patch: strict({}),
  query: contract.ProposalQuery,
  references: {
    accountId: {
      to: accounts,
      problem: accountProblems.accountNotFound,
      shows: { accountName: 'name' },
    },
  },
  problems: proposalProblems,
})
