import { CampaignDraft, type DraftForm } from '@placard/contract/booking'
import type { Static } from 'typebox'
import { Problem } from '../../../platform/problem.ts'
import {
  type Actor,
  cutPage,
  pageFrom,
  presentAs,
  refuseStale,
  type ResourceDeps,
  type Values,
} from '../../../platform/resources/index.ts'
import { bookingProblems } from '../problems.ts'
import {
  addDraft,
  countDrafts,
  deleteDraft,
  type DraftRow,
  findDraft,
  listDrafts,
  lockDraft,
  saveDraftRow,
} from './store.ts'

/** Drafts that one account may have at a time. */
export const DRAFTS_MAX = 200

type DraftDeps = Pick<ResourceDeps, 'db' | 'clock' | 'ids'>

interface DraftTarget {
  readonly publicId: string
  readonly actor: Actor
  readonly expectedVersion?: number | undefined
}

export const presentDraft = (draft: DraftRow) =>
  presentAs(CampaignDraft, { ...draft, id: draft.publicId })

export async function readDrafts(
  { db }: DraftDeps,
  { query, actor }: { readonly query: Values; readonly actor: Actor },
) {
  const { accountId, isPlatform } = actor.principal
  const page = pageFrom(query)
  const scope = { accountId, isPlatform: isPlatform && page.filters.own !== true }
  const { rows, ...next } = cutPage(await listDrafts(db, { scope, page }), page)
  return { items: rows.map(presentDraft), ...next }
}

export async function getDraft({ db }: DraftDeps, target: DraftTarget): Promise<DraftRow> {
  return (await findDraft(db, keyOf(target))) ?? missing(target)
}

/** A draft is no campaign yet: nothing is judged and nothing enters the audit log. */
export async function keepDraft(
  { db, clock, ids }: DraftDeps,
  { form, actor }: { readonly form: Static<typeof DraftForm>; readonly actor: Actor },
): Promise<DraftRow> {
  const { accountId, name } = actor.principal
  if ((await countDrafts(db, accountId)) >= DRAFTS_MAX) {
    throw new Problem(bookingProblems.tooManyDrafts, `The account has ${DRAFTS_MAX} drafts.`)
  }
  const now = clock.now()
  const times = { createdAt: now, updatedAt: now }
  return addDraft(db, { publicId: ids.next(), accountId, savedBy: name, form, ...times })
}

export async function changeDraft(
  { db, clock }: DraftDeps,
  { form, ...target }: DraftTarget & { readonly form: Static<typeof DraftForm> },
): Promise<DraftRow> {
  const draft = (await lockDraft(db, keyOf(target))) ?? missing(target)
  refuseStale(draft, target)
  const savedBy = target.actor.principal.name
  return saveDraftRow(db, { id: draft.id, form, savedBy, updatedAt: clock.now() })
}

export async function throwAwayDraft({ db }: DraftDeps, target: DraftTarget): Promise<void> {
  if (!(await deleteDraft(db, keyOf(target)))) missing(target)
}

const keyOf = ({ publicId, actor }: DraftTarget) => ({
  publicId,
  scope: actor.principal,
})

function missing({ publicId }: DraftTarget): never {
  throw new Problem(bookingProblems.draftNotFound, publicId)
}
