import { eq, sql } from 'drizzle-orm'
import type { Database } from '../../platform/database/connect.ts'
import { accounts, users } from '../accounts/tables.ts'
import { advertisers, campaigns } from '../campaigns/tables.ts'
import { auctions } from '../decisions/tables.ts'
import { placements, publishers, sites } from '../inventory/tables.ts'
import { notices } from '../notices/tables.ts'
import { advertiserStats } from '../reports/tables.ts'
import { deliveryStats } from '../tracking/tables.ts'
import type { StepFacts } from './first-steps.ts'
import { firstSteps } from './tables.ts'

/** What is there. Each question ends at the first row that answers it. */
export async function readFacts(db: Database): Promise<StepFacts> {
  const impression = sql`
    exists (select from ${deliveryStats} where ${deliveryStats.impressions} > 0)
      or exists (select from ${advertiserStats} where ${advertiserStats.impressions} > 0)`
  const { rows } = await db.execute<{ [Name in keyof StepFacts]: boolean }>(sql`
    select
      exists (select from ${accounts}
        where ${accounts.kind} = 'platform' and ${accounts.version} > 1) as "organisation",
      exists (select from ${firstSteps} where ${firstSteps.mailAcceptedAt} is not null)
        or exists (select from ${notices}
          where ${notices.way} = 'mail' and ${notices.status} = 'sent') as "mail",
      exists (select from ${users} where ${users.role} = 'operator'
        and ${users.hasFactor} and ${users.isActive}) as "second-factor",
      exists (select from ${publishers} where ${publishers.deletedAt} is null) as "publisher",
      exists (select from ${sites} where ${sites.deletedAt} is null
        and ${sites.isActive} and ${sites.domainState} = 'proven') as "site",
      exists (select from ${placements} where ${placements.deletedAt} is null
        and ${placements.isActive}) as "placement",
      (exists (select from ${auctions}) or ${impression}) as "tag",
      exists (select from ${advertisers} where ${advertisers.deletedAt} is null) as "advertiser",
      exists (select from ${campaigns} where ${campaigns.deletedAt} is null
        and ${campaigns.status} not in ('draft', 'cancelled')) as "campaign",
      (${impression}) as "impression"`)
  return rows[0]!
}

export interface Kept {
  readonly putAsideAt: Date | null
  readonly mailAskedAt: Date | null
  readonly mailAcceptedAt: Date | null
  readonly mailFailure: string | null
}

export async function readKept(db: Database): Promise<Kept> {
  const { putAsideAt, mailAskedAt, mailAcceptedAt, mailFailure } = firstSteps
  const columns = { putAsideAt, mailAskedAt, mailAcceptedAt, mailFailure }
  const [kept] = await db.select(columns).from(firstSteps)
  return kept!
}

export async function savePutAside(db: Database, putAsideAt: Date | null): Promise<void> {
  await db.update(firstSteps).set({ putAsideAt })
}

/** A new test mail: what became of the one before no longer matters. */
export async function saveAsked(db: Database, { id, at }: { id: string; at: Date }): Promise<void> {
  const fresh = { mailAcceptedAt: null, mailFailure: null }
  await db.update(firstSteps).set({ mailId: id, mailAskedAt: at, ...fresh })
}

/** Says nothing of a mail that a later one has replaced. */
export async function saveOutcome(
  db: Database,
  { id, acceptedAt, failure }: { id: string; acceptedAt: Date | null; failure: string | null },
): Promise<void> {
  await db
    .update(firstSteps)
    .set({ mailAcceptedAt: acceptedAt, mailFailure: failure })
    .where(eq(firstSteps.mailId, id))
}

export async function findEmail(db: Database, userId: bigint): Promise<string | undefined> {
  const [person] = await db.select({ email: users.email }).from(users).where(eq(users.id, userId))
  return person?.email
}
