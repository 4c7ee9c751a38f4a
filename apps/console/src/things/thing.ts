import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Me } from '../api/types.ts'
import type { Column } from '../ui/data-table.tsx'
import type { Choice } from '../ui/forms/choices.ts'
import type { Option } from '../ui/forms/fields.tsx'
import type { Choosable } from '../ui/forms/search-picker.tsx'
import type { MenuItem } from '../ui/overlays/menu.tsx'

/** A row that the API manages. */
export interface ThingRow {
  readonly id: string
  readonly version?: number
  readonly deletedAt?: string | null
}

/** What a field holds while a user edits it. */
export type FormValue = string | boolean | readonly string[]
export type FormValues = Readonly<Record<string, FormValue>>

/** How a value is entered. */
export type Entry =
  | { readonly as: 'text'; readonly type?: 'email' | 'url' | 'password'; readonly example?: string }
  | { readonly as: 'area'; readonly example?: string }
  /** A list of texts, one per line. */
  | { readonly as: 'lines'; readonly example?: string }
  | { readonly as: 'number' }
  /** An amount in the currency of the row, or of the form. */
  | { readonly as: 'money' }
  | { readonly as: 'switch' }
  | { readonly as: 'choice'; readonly options: readonly Option[] }
  | {
      readonly as: 'choices'
      readonly options: readonly Choice[] | ((me: Me) => readonly Choice[])
    }
  | { readonly as: 'zone' }
  /** A date and time in the reader's zone. */
  | { readonly as: 'instant' }
  | { readonly as: 'currency' }
  /** Another thing, searched by the server. While there is none, a link leads to where it is made. */
  | { readonly as: 'thing'; readonly of: Choosable<never>; readonly makeAt?: Place }

/** A link in words. */
export interface Place {
  readonly label: string
  readonly to: string
}

export interface ThingField {
  /** The field of the API. */
  readonly name: string
  readonly label: string
  readonly hint?: string
  readonly entry: Entry
  /** False: the API wants a value. */
  readonly isOptional?: boolean
  /** Only when the thing is made, or only when it is changed. */
  readonly only?: 'make' | 'change'
  /** The contract gives it to ad operations: others propose. */
  readonly isSellers?: boolean
  /** Users without this permission do not see it; its preset is sent. */
  readonly needs?: string
  /** The value of a new thing. */
  readonly preset?: (me: Me) => FormValue
  /** Shown while the other values allow it. */
  readonly when?: (values: FormValues) => boolean
}

/** How a thing goes away. */
export interface Removal {
  readonly action: 'Archive' | 'Delete' | 'Revoke'
  /** What happens then. */
  readonly consequence: string
  /** Addressed by POST to `/{id}/{call}` instead of DELETE. */
  readonly call?: string
}

/** Something people manage: list, form and removal follow from this description. */
export interface Thing<Row extends ThingRow = ThingRow, Made = Row> {
  /** In a sentence: "publisher". */
  readonly noun: string
  /** The title of the list: "Publishers". */
  readonly title: string
  readonly path: string
  /** Its permissions, without `:read` or `:write`. */
  readonly permission: string
  readonly icon: LucideIcon
  /** What it is and what it is for, shown while there is none. */
  readonly about: string
  readonly nameOf: (row: Row) => string
  readonly linkOf?: (row: Row) => string
  /** A column with `sortBy` is sorted by the server under its name. */
  readonly columns: readonly Column<Row>[]
  /** The first order of the list. */
  readonly sort: string
  readonly fields: readonly ThingField[]
  /** Undefined: it stays. */
  readonly removal?: Removal
  /** Rows that are gone already, beside those with `deletedAt`. */
  readonly isGone?: (row: Row) => boolean
  /** Other paths whose answers depend on it. */
  readonly touches?: readonly string[]
  /** Opens after it is made. */
  readonly openAfter?: (made: Made) => string
  /** Shown after it is made, before the dialog closes: a secret, links. */
  readonly shownOnce?: (made: Made, onClose: () => void) => ReactNode
  /** Makes it, if the fields alone would not do. */
  readonly makeForm?: (onClose: () => void) => ReactNode
  /** The button's text, if it is not "New …". */
  readonly newLabel?: string
  /** Where it is made, if not at its own path. */
  readonly makeAt?: string
}

/** What else can be done with a row. */
export type RowActions<Row> = (row: Row) => readonly MenuItem[]

export const defineThing = <Row extends ThingRow, Made = Row>(thing: Thing<Row, Made>) => thing

export const choosable = <Row>(of: Choosable<Row>) => of as unknown as Choosable<never>

/** A title within a sentence: "Ad slots" → "ad slots", "API keys" stays. */
export const inSentence = (title: string) =>
  /^[A-Z][a-z]/.test(title) ? title.charAt(0).toLowerCase() + title.slice(1) : title

export const newLabelOf = ({ noun, newLabel }: Pick<Thing, 'noun' | 'newLabel'>) =>
  newLabel ?? `New ${noun}`
