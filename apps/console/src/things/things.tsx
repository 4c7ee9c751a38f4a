import { Archive, MoreHorizontal, Pencil, Plus, RotateCcw, Trash2 } from 'lucide-react'
import { type ReactNode, useCallback, useState } from 'react'
import { useList, useRead } from '../api/hooks.ts'
import { useMay } from '../api/me.ts'
import { useSearchParams } from '../search-params.ts'
import { Badge } from '../ui/badge.tsx'
import { Button, IconButton } from '../ui/button.tsx'
import { type Column, DataTable } from '../ui/data-table.tsx'
import { CheckField } from '../ui/forms/fields.tsx'
import { SearchBox } from '../ui/forms/search-box.tsx'
import { Card } from '../ui/layout/card.tsx'
import { EmptyState } from '../ui/layout/states.tsx'
import { Menu, type MenuItem } from '../ui/overlays/menu.tsx'
import { RemoveThing, useRestore } from './remove-thing.tsx'
import { inSentence, newLabelOf, type RowActions, type Thing, type ThingRow } from './thing.ts'
import { ChangeThing, MakeThing } from './thing-form.tsx'

/** Takes out of the address what it says about a list, for another one. */
export const WITHOUT_LIST = {
  search: undefined,
  sort: undefined,
  archived: undefined,
  open: undefined,
}

interface ThingsProps<Row extends ThingRow, Made> {
  readonly of: Thing<Row, Made>
  /** What else a row's menu offers. */
  readonly actions?: RowActions<Row>
  /** Filters that always hold. */
  readonly query?: Readonly<Record<string, string | boolean>>
}

/** The list of one kind of thing: search, order and page on the server; make, change, archive. */
export function Things<Row extends ThingRow, Made>({ of, actions, query }: ThingsProps<Row, Made>) {
  const may = useMay()
  const canWrite = may(`${of.permission}:write`)
  const list = useThings<Row>(of, query)
  const { search, isArchived, sort, set } = list
  const [removing, setRemoving] = useState<Row>()
  const itemsOf = useRowItems({ of, actions, onEdit: list.edit, onRemove: setRemoving })
  const columns = canWrite ? [...of.columns, menuColumn(of, { itemsOf, isArchived })] : of.columns
  const make = canWrite && (
    <Button look="primary" icon={Plus} onClick={() => set({ open: 'new' })}>
      {newLabelOf(of)}
    </Button>
  )
  const isFiltered = search !== '' || isArchived
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <SearchBox
          label={`Search ${inSentence(of.title)}`}
          value={search}
          onValue={list.onSearch}
        />
        {of.removal?.action === 'Archive' && (
          <CheckField
            label="Show archived"
            state={isArchived}
            onToggle={(isOn) => set({ archived: isOn ? 'yes' : undefined })}
          />
        )}
        {make && <div className="ml-auto">{make}</div>}
      </div>
      <Card isFlush>
        <DataTable
          label={of.title}
          columns={columns}
          {...list.answer}
          keyOf={({ id }) => id}
          {...(of.linkOf && { linkOf: of.linkOf })}
          sort={{ by: sort, onSort: (by) => set({ sort: by }) }}
          empty={<Nothing of={of} isFiltered={isFiltered} action={make} />}
        />
      </Card>
      {list.open === 'new' &&
        canWrite &&
        (of.makeForm?.(list.close) ?? <MakeThing of={of} onClose={list.close} />)}
      {list.editing && canWrite && (
        <ChangeThing key={list.editing.id} of={of} row={list.editing} onClose={list.close} />
      )}
      {removing && of.removal && (
        <RemoveThing
          of={of}
          removal={of.removal}
          row={removing}
          onClose={() => setRemoving(undefined)}
        />
      )}
    </>
  )
}

/** The rows, and what of the list the address says: a link shows the same list, or opens a form. */
function useThings<Row extends ThingRow>(
  of: Pick<Thing<Row>, 'path' | 'sort'>,
  query: Readonly<Record<string, string | boolean>> | undefined,
) {
  const [params, set] = useSearchParams()
  const { search = '', sort = of.sort, archived, open } = params
  const isArchived = archived === 'yes'
  const answer = useList<Row>(of.path, {
    query: { ...query, search, sort, ...(isArchived && { includeDeleted: true }) },
  })
  const inList = answer.rows.find(({ id }) => id === open)
  const linked = useRead<Row>(`${of.path}/${open}`, {
    when: open !== undefined && open !== 'new' && !answer.isLoading && !inList,
  })
  const onSearch = useCallback((text: string) => set({ search: text }), [set])
  const edit = useCallback((row: Row) => set({ open: row.id }), [set])
  return {
    answer,
    search,
    sort,
    isArchived,
    open,
    set,
    onSearch,
    edit,
    editing: inList ?? (linked.data?.id === open ? linked.data : undefined),
    close: () => set({ open: undefined }),
  }
}

interface RowItems<Row extends ThingRow> {
  readonly of: Pick<Thing<Row>, 'fields' | 'removal' | 'isGone' | 'path' | 'touches' | 'nameOf'>
  readonly actions: RowActions<Row> | undefined
  readonly onEdit: (row: Row) => void
  readonly onRemove: (row: Row) => void
}

interface ThingMenuProps<Row extends ThingRow, Made> {
  readonly of: Thing<Row, Made>
  readonly row: Row
}

/** Change, archive and restore on the page of one thing. */
export function ThingMenu<Row extends ThingRow, Made>({ of, row }: ThingMenuProps<Row, Made>) {
  const canWrite = useMay()(`${of.permission}:write`)
  const [editing, setEditing] = useState<Row>()
  const [removing, setRemoving] = useState<Row>()
  const itemsOf = useRowItems({
    of,
    actions: undefined,
    onEdit: setEditing,
    onRemove: setRemoving,
  })
  if (!canWrite) return null
  return (
    <>
      <Menu items={itemsOf(row)}>
        <IconButton label={`Manage ${of.nameOf(row)}`} icon={MoreHorizontal} />
      </Menu>
      {editing && <ChangeThing of={of} row={editing} onClose={() => setEditing(undefined)} />}
      {removing && of.removal && (
        <RemoveThing
          of={of}
          removal={of.removal}
          row={removing}
          onClose={() => setRemoving(undefined)}
        />
      )}
    </>
  )
}

/** The menu of a row: change it, what else it offers, and archive or restore. */
function useRowItems<Row extends ThingRow>({ of, actions, onEdit, onRemove }: RowItems<Row>) {
  const restore = useRestore(of)
  return (row: Row): readonly MenuItem[] => {
    if (row.deletedAt) {
      return [{ label: 'Restore', icon: RotateCcw, onSelect: () => restore(row) }]
    }
    if (of.isGone?.(row)) return []
    const canEdit = of.fields.some(({ only }) => only !== 'make')
    const { removal } = of
    return [
      ...(canEdit ? [{ label: 'Edit', icon: Pencil, onSelect: () => onEdit(row) }] : []),
      ...(actions?.(row) ?? []),
      ...(removal
        ? [
            {
              label: removal.action,
              icon: removal.action === 'Archive' ? Archive : Trash2,
              isDangerous: true,
              onSelect: () => onRemove(row),
            },
          ]
        : []),
    ]
  }
}

interface MenuColumn<Row> {
  readonly itemsOf: (row: Row) => readonly MenuItem[]
  /** Archived rows say so beside their menu. */
  readonly isArchived: boolean
}

function menuColumn<Row extends ThingRow>(
  of: Pick<Thing<Row>, 'nameOf'>,
  { itemsOf, isArchived }: MenuColumn<Row>,
): Column<Row> {
  return {
    name: 'menu',
    label: '',
    width: isArchived ? '8rem' : '3.5rem',
    cell: (row) => {
      const items = itemsOf(row)
      return (
        <span className="flex items-center justify-end gap-2">
          {row.deletedAt && <Badge tone="neutral">Archived</Badge>}
          {items.length > 0 && (
            <Menu items={items}>
              <IconButton label={`Manage ${of.nameOf(row)}`} icon={MoreHorizontal} />
            </Menu>
          )}
        </span>
      )
    },
  }
}

interface NothingProps {
  readonly of: Pick<Thing, 'title' | 'icon' | 'about'>
  readonly isFiltered: boolean
  readonly action: ReactNode
}

function Nothing({ of: { title, icon, about }, isFiltered, action }: NothingProps) {
  const what = inSentence(title)
  return isFiltered ? (
    <EmptyState icon={icon} title={`No ${what} found`} text="Try another search." />
  ) : (
    <EmptyState icon={icon} title={`No ${what} yet`} text={about} action={action} />
  )
}
