import * as contract from '@placard/contract/channels'
import { defineResource } from '../../platform/resources/index.ts'
import { advertiserProblems, campaignProblems } from '../campaigns/index.ts'
import { advertisers, campaigns } from '../campaigns/tables.ts'
import { connectionProblems, syncProblems } from './problems.ts'
import { channelAlerts, channelBackfills, channelConnections } from './tables.ts'

const toAdvertiser = {
  to: advertisers,
  problem: advertiserProblems.notFound,
  givesAccount: true,
}

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
  searches: ['name'],
  references: { advertiserId: toAdvertiser },
  problems: { notFound: campaignProblems.connectionNotFound, ...connectionProblems },
})

export const backfill = defineResource({
  noun: 'backfill',
  plural: 'backfills',
  path: '/ads-manager/backfills',
  tag: 'channels',
  permission: 'channels',
  table: channelBackfills,
  view: contract.Backfill,
  create: contract.CreateBackfill,
  patch: contract.CreateBackfill,
  query: contract.BackfillQuery,
  references: { advertiserId: toAdvertiser },
  problems: { notFound: syncProblems.backfillNotFound },
})

export const alert = defineResource({
  noun: 'alert',
  plural: 'alerts',
  tag: 'channels',
  permission: 'channels',
  table: channelAlerts,
  view: contract.Alert,
  create: contract.Alert,
  patch: contract.Alert,
  query: contract.AlertQuery,
  references: {
    advertiserId: toAdvertiser,
    campaignId: {
      to: campaigns,
      problem: campaignProblems.notFound,
      shows: { campaignName: 'name' },
    },
    connectionId: { to: channelConnections, problem: campaignProblems.connectionNotFound },
  },
  problems: { notFound: syncProblems.alertNotFound },
})
