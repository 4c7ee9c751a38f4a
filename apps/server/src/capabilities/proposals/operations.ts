import type { Database } from '../../platform/database/connect.ts'
import { Problem } from '../../platform/problem.ts'
import {
  createRow,
  patchRow,
  type ProposalNote,
  type ProposedFields,
  type Resource,
  type ResourceDeps,
  reviseRow,
  type Target,
  type Values,
} from '../../platform/resources/index.ts'
import { notifyInterested } from '../notices/index.ts'
import { type Changes, merged, wantedBy } from './proposal.ts'
import { proposalProblems } from './problems.ts'
import { proposal } from './resources.ts'
import { lockPending, type ProposalRow } from './store.ts'

export interface ProposalDeps extends ResourceDeps {
  /** What proposals can be about. */
  readonly proposable: readonly Resource[]
}

/** Keeps what a caller wants of fields that the seller writes. */
export const proposeWith =
  (given: Omit<ResourceDeps, 'db' | 'propose'>) =>
  async (db: Database, asked: ProposedFields): Promise<ProposalNote | undefined> => {
    const deps = { ...given, db }
    const { actor, row } = asked
    const waiting = await lockPending(db, String(row.publicId))
    const changes = merged(waiting?.changes ?? {}, asked)
    const fields = Object.keys(changes)
    if (waiting) {
      const record = await reviseRow(deps, proposal, {
        publicId: waiting.publicId,
        actor,
        action: fields.length === 0 ? 'withdraw' : 'update',
        revise: () => (fields.length === 0 ? { status: 'withdrawn' } : { changes }),
      })
      return fields.length === 0 ? undefined : noteOf(record, fields)
    }
    if (fields.length === 0) return undefined
    const record = await createRow(deps, proposal, {
      body: {},
      actor,
      extra: rowOf(asked, changes),
    })
    await tellSeller(deps, record)
    return noteOf(record, fields)
  }

const rowOf = ({ actor, resource, row }: ProposedFields, changes: Changes) => ({
  accountId: row.accountId,
  entity: resource.noun,
  entityId: row.publicId,
  entityName: nameOf(row),
  changes,
  proposedBy: actor.principal.name,
})

/** Rows that can be proposed for have a name or a title. */
const nameOf = ({ name, title }: Readonly<Record<string, unknown>>) =>
  [name, title].find((words) => typeof words === 'string') ?? ''

const noteOf = ({ publicId }: Values, fields: readonly string[]): ProposalNote => ({
  id: String(publicId),
  fields,
  message: `Only ad operations may set ${fields.join(', ')}: kept as a proposal that they accept or decline.`,
})

/** Of those who sell; the buyer knows. */
async function tellSeller(deps: ResourceDeps, record: Values): Promise<void> {
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

/** Accepting writes the fields under all rules of the row; either way the buyer is told. */
export async function decideProposal(
  deps: ProposalDeps,
  { verdict, reason, ...target }: Decision,
): Promise<Values> {
  const { actor } = target
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
  await tellBuyer(deps, record as unknown as ProposalRow)
  return record
}

async function apply(deps: ProposalDeps, pending: ProposalRow, { actor }: Target): Promise<void> {
  const resource = deps.proposable.find(({ noun }) => noun === pending.entity)
  if (!resource) throw new Error(`nothing is known of proposals for ${pending.entity}`)
  const body = wantedBy(pending.changes)
  await patchRow(deps, resource, { publicId: pending.entityId, actor, body })
}

async function tellBuyer(deps: ResourceDeps, row: ProposalRow): Promise<void> {
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
