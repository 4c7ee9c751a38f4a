import { and, eq, isNull, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { Database } from '../../../platform/database/connect.ts'
import type { Scope } from '../../../platform/resources/index.ts'
import { advertisers, campaigns, sellpages } from '../tables.ts'
import { channelConnections } from '../../channels/tables.ts'

interface NamedRows {
  readonly publicIds: readonly string[]
  readonly scope: Scope
}

/** The advertisers that an import names, locked until the transaction ends. */
export function shareLockAdvertisersNamed(db: Database, { publicIds, scope }: NamedRows) {
  return db
    .select({
      id: advertisers.id,
      publicId: advertisers.publicId,
      accountId: advertisers.accountId,
      isHouse: advertisers.isHouse,
    })
    .from(advertisers)
    .where(
      and(
        isAnyOf(advertisers.publicId, publicIds),
        isNull(advertisers.deletedAt),
        scope.isPlatform ? undefined : eq(advertisers.accountId, scope.accountId),
      ),
    )
    .for('share')
}

export function shareLockConnectionsNamed(db: Database, { publicIds, scope }: NamedRows) {
  return db
    .select({
      id: channelConnections.id,
      publicId: channelConnections.publicId,
      advertiserId: channelConnections.advertiserId,
      connectionType: channelConnections.connectionType,
      provider: channelConnections.provider,
    })
    .from(channelConnections)
    .where(
      and(
        isAnyOf(channelConnections.publicId, publicIds),
        isNull(channelConnections.deletedAt),
        scope.isPlatform ? undefined : eq(channelConnections.accountId, scope.accountId),
      ),
    )
    .for('share')
}

export function shareLockSellpagesNamed(db: Database, { publicIds, scope }: NamedRows) {
  return db
    .select({
      id: sellpages.id,
      publicId: sellpages.publicId,
      advertiserId: sellpages.advertiserId,
    })
    .from(sellpages)
    .where(
      and(
        isAnyOf(sellpages.publicId, publicIds),
        isNull(sellpages.deletedAt),
        scope.isPlatform ? undefined : eq(sellpages.accountId, scope.accountId),
      ),
    )
    .for('share')
}

/** Campaigns that already have one of the external ids, including deleted ones. */
export function listTakenExternalIds(db: Database, externalIds: readonly string[]) {
  return db
    .select({
      advertiserId: campaigns.advertiserId,
      channel: campaigns.channel,
      externalId: campaigns.externalId,
    })
    .from(campaigns)
    .where(isAnyOf(campaigns.externalId, externalIds))
}

/** One parameter for any number of values: a statement takes at most 65,535 parameters. */
const isAnyOf = (column: PgColumn, values: readonly string[]) =>
  sql`${column} = any (${sql.param([...values])}::${sql.raw(column.getSQLType())}[])`
