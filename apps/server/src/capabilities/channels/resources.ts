import * as contract from '@placard/contract/channels'
import { defineResource } from '../../platform/resources/index.ts'
import { advertiserProblems, campaignProblems } from '../campaigns/index.ts'
import { advertisers } from '../campaigns/tables.ts'
import { connectionProblems } from './problems.ts'
import { channelConnections } from './tables.ts'

export const connection = defineResource({
  noun: 'connection',
  plural: 'connections',
  tag: 'channels',
  permission: 'channels',
  table: channelConnections,
  view: contract.Connection,
  create: contract.CreateConnection,
  patch: contract.PatchConnection,
  query: contract.ConnectionQuery,
  references: {
    advertiserId: { to: advertisers, problem: advertiserProblems.notFound, givesAccount: true },
  },
  problems: { notFound: campaignProblems.connectionNotFound, ...connectionProblems },
})
