import type { Database } from '../../platform/database/connect.ts'
import { Problem } from '../../platform/problem.ts'
import {
  createRow,
  getRow,
  lockRecord,
  patchRow,
  type ProposalSummary,
  type ProposedFields,
  type Resource,
  type ResourceDeps,
  reviseRow,
  type Target,
  type Values,
} from '../../platform/resources/index.ts'
import { notifyInterested } from '../notices/index.ts'
import { type Changes, merged, valuesToWrite } from './proposal.ts'
import { proposalProblems } from './problems.ts'
import { proposal } from './resources.ts'
import { lockPending, type ProposalRow } from './store.ts'

export interface ProposalDeps extends ResourceDeps {
  /** The resources that a proposal can change. */
  readonly proposable: readonly Resource[]
}

/** Keeps a caller's change of fields that only the seller may write. */
export const proposeWith =
  (given: Omit<ResourceDeps, 'db' | 'propose'>) =>
  async (db: Database, change: ProposedFields): Promise<ProposalSummary | undefined> => {
    const deps = { ...given, db }
    const { actor, row } = change
    const waiting = await lockPending(db, String(row.publicId))
    const changes = merged(waiting?.changes ?? {}, change)
    const fields = Object.keys(changes)
    if (waiting) {
      const record = await reviseRow(deps, proposal, {
        publicId: waiting.publicId,
        actor,
        action: fields.length === 0 ? 'withdraw' : 'update',
        revise: () => (fields.length === 0 ? { status: 'withdrawn' } : { changes }),
      })
      return fields.length === 0 ? undefined : summaryOf(record, fields)
    }
    if (fields.length === 0) return undefined
    const record = await createRow(deps, proposal, {
      body: {},
      actor,
      extra: rowOf(change, changes),
    })
    await notifySeller(deps, record)
    return summaryOf(record, fields)
  }

const rowOf = ({ actor, resource, row }: ProposedFields, changes: Changes) => ({
  accountId: row.accountId,
  entity: resource.noun,
  entityId: row.publicId,
  entityName: nameOf(row),
  changes,
  proposedBy: actor.principal.name,
})

/** Every resource with proposals has a name or a title. */
const nameOf = ({ name, title }: Readonly<Record<string, unknown>>) =>
  [name, title].find((words) => typeof words === 'string') ?? ''

const summaryOf = ({ publicId }: Values, fields: readonly string[]): ProposalSummary => ({
  id: String(publicId),
  fields,
  message: `Only ad operations may set ${fields.join(', ')}. We sent them your change as a proposal.`,
})

/** Notifies the seller. The buyer made the change and already knows. */
async function notifySeller(deps: ResourceDeps, record: Values): Promise<void> {
  const { publicId, entity, entityId, entityName, proposedBy, changes } = record
  await notifyInterested(deps, {
    topic: 'proposals',
    key: `proposal ${String(publicId)}`,
    subject: `${String(proposedBy)} proposes a change of “${String(entityName)}”`,
    words: sayChanges(changes as Changes),
    data: { proposalId: publicId, entity, entityId, changes },
  })
}

const sayChanges = (changes: Changes): string =>
  Object.entries(changes)
    .map(([field, { from, to }]) => `${field}: ${JSON.stringify(from)} → ${JSON.stringify(to)}`)
    .join('\n')

export interface Decision extends Target {
  readonly verdict: 'accepted' | 'declined'
  readonly reason?: string
}

/** Accepting writes the fields under all rules of the row. The buyer is notified either way. */
export async function decideProposal(
  deps: ProposalDeps,
  { verdict, reason, ...target }: Decision,
): Promise<Values> {
  const { actor } = target
  if (verdict === 'accepted') await lockSubject(deps, target)
  const record = await reviseRow(deps, proposal, {
    ...target,
    action: verdict === 'accepted' ? 'accept' : 'decline',
    async revise(row) {
      const pending = row as unknown as ProposalRow
      if (pending.status !== 'pending') throw new Problem(proposalProblems.decided, pending.status)
      if (verdict === 'accepted') await apply(deps, pending, target)
      return {
        status: verdict,
        decidedBy: actor.principal.name,
        decidedAt: deps.clock.now(),
        reason: reason ?? null,
      }
    },
  })
  await notifyBuyer(deps, record as unknown as ProposalRow)
  return record
}

/** The row first, then its proposal: in the order of a buyer's change, so that neither waits for the other. */
async function lockSubject(deps: ProposalDeps, target: Target): Promise<void> {
  const { entity, entityId } = await getRow(deps.db, proposal, target)
  const subject = { publicId: String(entityId), actor: target.actor }
  await lockRecord(deps.db, resourceOf(deps, String(entity)), subject)
}

function resourceOf({ proposable }: Pick<ProposalDeps, 'proposable'>, entity: string): Resource {
  const found = proposable.find(({ noun }) => noun === entity)
  if (!found) throw new Error(`no resource takes proposals for ${entity}`)
  return found
}

async function apply(deps: ProposalDeps, pending: ProposalRow, { actor }: Target): Promise<void> {
  const resource = resourceOf(deps, pending.entity)
  const body = valuesToWrite(pending.changes)
  await patchRow(deps, resource, { publicId: pending.entityId, actor, body })
}

async function notifyBuyer(deps: ResourceDeps, row: ProposalRow): Promise<void> {
  const { publicId, entityName, entity, entityId, status, changes, reason } = row
  await notifyInterested(
    deps,
    {
      topic: 'proposals',
      key: `proposal ${publicId} ${status}`,
      subject: `The change of “${entityName}” is ${status}`,
      words: [sayChanges(changes), ...(reason ? [reason] : [])].join('\n'),
      data: { proposalId: publicId, entity, entityId, status, changes, reason },
    },
    row.accountId,
  )
}
