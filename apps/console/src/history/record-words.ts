import type { AuditRecord } from '../api/types.ts'
import { sayInstant, sayMoney, sayWord } from '../ui/format/format.ts'
import { fieldLabel, fieldValue } from '../ui/format/words.ts'

type Rows = Pick<AuditRecord, 'before' | 'after'>
type Row = Readonly<Record<string, unknown>>

/** Fields that change with every change. */
const TECHNICAL = new Set(['version', 'updatedAt', 'createdAt', 'id', 'deletedAt'])
const FIELDS_MAX = 8

/** The fields that an audit record changed, as sentences: "Daily budget from €12.50 to none". A new row has no earlier values. */
export function changesOf({ before, after }: Rows, zone: string): readonly string[] {
  if (!isRow(before) || !isRow(after)) return []
  const currency = textIn(after, 'currency') ?? textIn(before, 'currency')
  const say = (field: string, value: unknown) => sayValue(field, value, { currency, zone })
  return Object.keys(after)
    .filter((field) => !TECHNICAL.has(field) && !isNamedBeside(field, after))
    .map((field) => ({
      field,
      from: say(field, before[field]),
      to: say(field, after[field]),
    }))
    .filter(({ from, to }) => from !== to)
    .slice(0, FIELDS_MAX)
    .map(({ field, from, to }) => `${fieldLabel(field)} from ${from} to ${to}`)
}

/** `advertiserId` says nothing that `advertiserName` does not say better. */
const isNamedBeside = (field: string, row: Row): boolean =>
  field.endsWith('Id') && `${field.slice(0, -2)}Name` in row

interface Surroundings {
  readonly currency: string | undefined
  readonly zone: string
}

const INSTANT = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/

function sayValue(field: string, value: unknown, { currency, zone }: Surroundings): string {
  if (typeof value === 'string' && currency && field.endsWith('Micros') && /^-?\d+$/.test(value)) {
    return sayMoney(value, currency)
  }
  if (typeof value === 'string' && INSTANT.test(value)) return sayInstant(value, zone)
  return fieldValue(field, value)
}

const VERBS: Readonly<Record<string, string>> = {
  accept: 'accepted',
  activate: 'started',
  add: 'added',
  approve: 'approved',
  create: 'created',
  decline: 'declined',
  delete: 'archived',
  end: 'ended',
  pause: 'paused',
  publish: 'published',
  reject: 'rejected',
  restore: 'restored',
  revoke: 'undid a decision about',
  send: 'sent',
  'sign-in': 'signed in:',
  turn: 'turned',
  unblock: 'unblocked',
  undo: 'undid',
  update: 'changed',
}

/** `campaign.update` → `changed the campaign “Autumn”`. */
export function deedOf({ action, entity, before, after }: Omit<AuditRecord, 'id'>): string {
  const name = action.split('.').at(-1) ?? action
  const verb = VERBS[name]
  const thing = sayWord(entity).toLowerCase()
  const called = nameOf(after) ?? nameOf(before)
  const object = called === undefined ? `the ${thing}` : `the ${thing} “${called}”`
  return verb === undefined ? `${sayWord(name).toLowerCase()}: ${object}` : `${verb} ${object}`
}

const NAMES = ['name', 'title', 'label', 'displayName', 'domain', 'email'] as const

const nameOf = (row: unknown): string | undefined =>
  isRow(row) ? NAMES.map((name) => textIn(row, name)).find(Boolean) : undefined

const PAGES: Readonly<Record<string, string>> = {
  banner: '/creatives',
  campaign: '/campaigns',
  placement: '/placements',
  site: '/sites',
}

/** The page of the thing, or of the campaign that it belongs to. */
export function pageOf({ entity, entityId, before, after }: Omit<AuditRecord, 'id'>) {
  const page = PAGES[entity]
  if (page !== undefined) return `${page}/${entityId}`
  const row = isRow(after) ? after : isRow(before) ? before : {}
  const campaignId = textIn(row, 'campaignId')
  return campaignId === undefined ? undefined : `/campaigns/${campaignId}`
}

const textIn = (row: Row, field: string): string | undefined => {
  const value = row[field]
  return typeof value === 'string' && value !== '' ? value : undefined
}

const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null
