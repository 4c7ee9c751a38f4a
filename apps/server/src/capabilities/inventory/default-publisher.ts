import type { Database } from '../../platform/database/connect.ts'
import { Problem } from '../../platform/problem.ts'
import type { NamedRow } from '../../platform/resources/index.ts'
import { publisherProblems } from './problems.ts'
import {
  clearDefaultPublisher,
  hasPublishers,
  lockDefaultPublisher,
  makeFirstPublisherDefault,
} from './store.ts'

/** One publisher answers requests by type that name nobody: the first made, until another is chosen. */
interface MaybeDefault {
  readonly name: string
  readonly isDefault: boolean
  readonly deletedAt: Date | null
}

/** Before the row is locked, wherever the default may move: all but changes of other fields. */
export async function lockForDefault(db: Database, { publicId, body }: NamedRow): Promise<void> {
  const isPatch = publicId !== undefined && body !== undefined
  if (!isPatch || body['isDefault'] !== undefined) await lockDefaultPublisher(db)
}

/** The only publisher is the default. A chosen one takes the place of the other. */
export async function completeDefault(
  db: Database,
  { name, isDefault }: MaybeDefault,
  { before, now }: { readonly before: MaybeDefault | undefined; readonly now: Date },
): Promise<{ readonly isDefault: boolean }> {
  if (before === undefined || before.deletedAt) return { isDefault: !(await hasPublishers(db)) }
  if (before.isDefault && !isDefault) throw new Problem(publisherProblems.isDefault, name)
  if (isDefault && !before.isDefault) await clearDefaultPublisher(db, now)
  return { isDefault }
}

/** When the default is deleted, the first made of the others takes its place. */
export async function passDefaultOn(
  db: Database,
  { before, after }: { readonly before: MaybeDefault | undefined; readonly after: MaybeDefault },
  now: Date,
): Promise<void> {
  if (!after.deletedAt || !before?.isDefault) return
  await clearDefaultPublisher(db, now)
  await makeFirstPublisherDefault(db, now)
}
