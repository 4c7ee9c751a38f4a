import { sql } from 'drizzle-orm'
import type { Database } from '../database/connect.ts'
import type { LiveUpdate } from './live-updates.ts'

const EVENTS: Readonly<Record<string, LiveUpdate['event']>> = {
  pending: 'pending-updated',
  approved: 'approved',
  rejected: 'rejected',
  flagged: 'flagged',
}

type ApprovalRow = Record<
  'approvalId' | 'siteId' | 'bannerId' | 'status' | 'seller' | 'buyer',
  string
>

/** Approvals that changed, for the account of the site and the account of the banner. */
export async function listApprovalUpdates(
  db: Database,
  ids: readonly bigint[],
): Promise<readonly LiveUpdate[]> {
  const { rows } = await db.execute<ApprovalRow>(sql`
    select r.public_id as "approvalId", s.public_id as "siteId", b.public_id as "bannerId", r.status,
           s.account_id as seller, r.banner_account_id as buyer
      from creative_approvals r join sites s on s.id = r.site_id join banners b on b.id = r.banner_id
     where r.id = any(${sql.param(ids.map(String))}::bigint[])`)
  return rows.map(({ approvalId, siteId, bannerId, status, seller, buyer }) => ({
    event: EVENTS[status] ?? 'pending-updated',
    data: { approvalId, siteId, bannerId },
    accountIds: [BigInt(seller), BigInt(buyer)],
  }))
}

/** Sites whose pages or candidates changed. */
export async function listSiteUpdates(
  db: Database,
  ids: readonly bigint[],
): Promise<readonly LiveUpdate[]> {
  const { rows } = await db.execute<{ siteId: string; seller: string }>(sql`
    select public_id as "siteId", account_id as seller from sites
     where id = any(${sql.param(ids.map(String))}::bigint[])`)
  return rows.map(({ siteId, seller }) => ({
    event: 'pages-updated',
    data: { siteId },
    accountIds: [BigInt(seller)],
  }))
}
