import { sql } from 'drizzle-orm'
import type { Database } from '../../platform/database/connect.ts'
import type { News } from './newsroom.ts'

const EVENTS: Readonly<Record<string, News['event']>> = {
  pending: 'pending-updated',
  approved: 'approved',
  rejected: 'rejected',
  flagged: 'flagged',
}

/** What sites said of creatives: for the site's account, and for the creative's. */
export async function listApprovalNews(
  db: Database,
  ids: readonly bigint[],
): Promise<readonly News[]> {
  const { rows } = await db.execute(sql`
    select r.public_id as "approvalId", s.public_id as "siteId", b.public_id as "bannerId", r.status,
           s.account_id as seller, r.banner_account_id as buyer
      from creative_approvals r join sites s on s.id = r.site_id join banners b on b.id = r.banner_id
     where r.id = any(${sql.param(ids.map(String))}::bigint[])`)
  return (rows as Record<string, string>[]).map(
    ({ approvalId, siteId, bannerId, status, seller, buyer }) => ({
      event: EVENTS[status!] ?? 'pending-updated',
      data: { approvalId: approvalId!, siteId: siteId!, bannerId: bannerId! },
      accountIds: [BigInt(seller!), BigInt(buyer!)],
    }),
  )
}

/** Sites whose pages, or who stands on them, have changed. */
export async function listSiteNews(db: Database, ids: readonly bigint[]): Promise<readonly News[]> {
  const { rows } = await db.execute(sql`
    select public_id as "siteId", account_id as seller from sites
     where id = any(${sql.param(ids.map(String))}::bigint[])`)
  return (rows as Record<string, string>[]).map(({ siteId, seller }) => ({
    event: 'pages-updated',
    data: { siteId: siteId! },
    accountIds: [BigInt(seller!)],
  }))
}
