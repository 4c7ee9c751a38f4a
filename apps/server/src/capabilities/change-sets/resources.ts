import * as contract from '@placard/contract/change-sets'
import { strict } from '@placard/contract/shared'
import { defineResource } from '../../platform/resources/index.ts'
import { changeSetProblems } from './problems.ts'
import { readCounts } from './store.ts'
import { changeSets } from './tables.ts'

/** A change set belongs to the account of its author. */
export const changeSet = defineResource({
  noun: 'change set',
  plural: 'change sets',
  tag: 'change sets',
  permission: 'campaigns',
  table: changeSets,
  view: contract.ChangeSet,
  create: strict({}),
  patch: strict({}),
  query: contract.ChangeSetQuery,
  references: {},
  problems: changeSetProblems,
  figures: {
    fields: ['rows', ...contract.ROW_OUTCOMES],
    read: ({ db }, keys) => readCounts(db, keys),
  },
})
