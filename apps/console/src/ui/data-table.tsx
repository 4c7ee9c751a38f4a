import { Link } from '@tanstack/react-router'
import {
  type ColumnDef,
  createSortedRowModel,
  rowSelectionFeature,
  rowSortingFeature,
  type SortingState,
  sortFn_basic,
  tableFeatures,
  useTable,
} from '@tanstack/react-table'
import { useVirtualizer } from '@tanstack/react-virtual'
import { ArrowDown, ArrowUp } from 'lucide-react'
import {
  type CSSProperties,
  type ReactNode,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { cx } from './cx.ts'
import { CheckField } from './forms/fields.tsx'
import { ProblemState, Waiting } from './layout/states.tsx'

export interface Column<Row> {
  readonly name: string
  readonly label: string
  readonly cell: (row: Row) => ReactNode
  /** A CSS width. Columns without one share the rest. */
  readonly width?: string
  readonly isNumber?: boolean
  /** Hidden on screens narrower than this. */
  readonly from?: 'sm' | 'md' | 'lg' | 'xl'
  /** Sorts by this value here, or by this name on the server. */
  readonly sortBy?: (row: Row) => string | number
}

/** The link of a row covers it. Buttons and links in other cells lie above. */
const ABOVE_LINK = '[&_:is(a,button)]:relative [&_:is(a,button)]:z-1'

interface TableProps<Row> {
  readonly label: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string
  /** The row's link. Its first column has the link, and the whole row is clickable. */
  readonly linkOf?: (row: Row) => string
  readonly nameOf?: (row: Row) => string
  readonly selection?: Selection
  /** Sorted by the server: `name` ascending, `-name` descending. */
  readonly sort?: { readonly by: string; readonly onSort: (by: string) => void }
  readonly isLoading?: boolean
  readonly error?: unknown
  readonly retry?: () => void
  readonly hasMore?: boolean
  readonly loadMore?: () => void
  readonly empty: ReactNode
}

export interface Selection {
  readonly keys: ReadonlySet<string>
  readonly onSelect: (keys: ReadonlySet<string>) => void
}

const features = tableFeatures({
  rowSortingFeature,
  rowSelectionFeature,
  sortedRowModel: createSortedRowModel(),
  sortFns: { basic: sortFn_basic },
})

const SHOWN_FROM = {
  sm: 'max-sm:hidden',
  md: 'max-md:hidden',
  lg: 'max-lg:hidden',
  xl: 'max-xl:hidden',
}
const ROW_PX = 41
const MORE_BEFORE_END = 20

/** The table of every list: sortable, selectable, linked. Draws only visible rows. */
export function DataTable<Row extends object>(props: TableProps<Row>) {
  const { label, rows, isLoading, error, retry, empty } = props
  if (rows.length === 0) {
    if (isLoading) return <Waiting lines={6} />
    if (error) return <ProblemState error={error} retry={retry} />
    return empty
  }
  return (
    // A table without links in it is scrolled by keyboard, too.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls takes the focus
    <div tabIndex={0} className="overflow-x-auto md:overflow-x-visible">
      <table
        aria-label={label}
        style={{ '--least': leastOf(props) } as CSSProperties}
        className="w-full table-fixed border-separate border-spacing-0 max-sm:min-w-(--least)"
      >
        <Rows {...props} />
      </table>
    </div>
  )
}

/** On a phone, the table scrolls rather than squeezing a column. */
function leastOf<Row>({ columns, selection }: TableProps<Row>): string {
  const widths = columns.filter(({ from }) => !from).map(({ width = LEAST }) => width)
  return `calc(${[...widths, ...(selection ? [CHECK] : [])].join(' + ')})`
}

const LEAST = '8rem'
const CHECK = '2.75rem'

function useRows<Row extends object>({ columns, rows, keyOf, sort, selection }: TableProps<Row>) {
  const [sorting, setSorting] = useState<SortingState>([])
  const definitions = useMemo(
    () =>
      columns.map(({ name, label, sortBy }): ColumnDef<typeof features, Row> => ({
        id: name,
        header: label,
        accessorFn: (row) => sortBy?.(row),
        enableSorting: sortBy !== undefined,
        sortFn: 'basic',
      })),
    [columns],
  )
  const rowSelection = useMemo(
    () => Object.fromEntries([...(selection?.keys ?? [])].map((key) => [key, true as const])),
    [selection],
  )
  const served = sort && [{ id: sort.by.replace(/^-/, ''), desc: sort.by.startsWith('-') }]
  return useTable({
    features,
    data: rows,
    columns: definitions,
    getRowId: keyOf,
    manualSorting: sort !== undefined,
    enableMultiSort: false,
    state: { sorting: served ?? sorting, rowSelection },
    onSortingChange: (change) => {
      const next = typeof change === 'function' ? change(served ?? sorting) : change
      const [first] = next
      if (!sort) setSorting(next)
      else if (first) sort.onSort(first.desc ? `-${first.id}` : first.id)
    },
    onRowSelectionChange: (change) => {
      const next = typeof change === 'function' ? change(rowSelection) : change
      selection?.onSelect(new Set(Object.keys(next).filter((key) => next[key])))
    },
  })
}

function Rows<Row extends object>(props: TableProps<Row>) {
  const { columns, selection, linkOf, nameOf } = props
  const table = useRows(props)
  const shown = table.getRowModel().rows
  const { body, items, above, below } = useWindow(props, shown.length)
  const allState =
    table.getIsAllRowsSelected() || (table.getIsSomeRowsSelected() && 'indeterminate')
  return (
    <>
      <thead>
        <tr>
          {selection && (
            <th scope="col" className={cx(HEAD, 'w-11')}>
              <CheckField
                isHidden
                label="Select all rows"
                state={allState}
                onToggle={(isOn) => table.toggleAllRowsSelected(isOn)}
              />
            </th>
          )}
          {table.getFlatHeaders().map(({ column }, place) => (
            <Heading
              key={column.id}
              column={columns[place]!}
              direction={column.getIsSorted()}
              onSort={column.getCanSort() ? () => column.toggleSorting() : undefined}
            />
          ))}
        </tr>
      </thead>
      <tbody ref={body}>
        <Spacer height={above} />
        {items.map(({ index }) => {
          const row = shown[index]!
          return (
            <tr key={row.id} className="group relative hover:bg-hover">
              {selection && (
                <td className={cx(CELL, 'relative z-10')}>
                  <CheckField
                    isHidden
                    label={`Select ${nameOf?.(row.original) ?? 'row'}`}
                    state={row.getIsSelected()}
                    onToggle={(isOn) => row.toggleSelected(isOn)}
                  />
                </td>
              )}
              {columns.map((column, place) => (
                <td
                  key={column.name}
                  className={cx(
                    CELL,
                    column.from && SHOWN_FROM[column.from],
                    column.isNumber && 'text-right figures',
                  )}
                >
                  {place === 0 && linkOf ? (
                    <Link
                      to={linkOf(row.original)}
                      className="block truncate font-medium after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent"
                    >
                      {column.cell(row.original)}
                    </Link>
                  ) : (
                    <div className={cx('truncate', linkOf && ABOVE_LINK)}>
                      {column.cell(row.original)}
                    </div>
                  )}
                </td>
              ))}
            </tr>
          )
        })}
        <Spacer height={below} />
      </tbody>
    </>
  )
}

const HEAD =
  'md:sticky top-0 z-20 h-9 border-b bg-surface px-3 text-left text-xs font-medium whitespace-nowrap text-ink-faint first:rounded-tl-lg first:pl-4 last:rounded-tr-lg last:pr-4'
const CELL = 'h-10 border-b px-3 first:pl-4 last:pr-4'

interface HeadingProps<Row> {
  readonly column: Column<Row>
  readonly direction: 'asc' | 'desc' | false
  readonly onSort: (() => void) | undefined
}

function Heading<Row>({ column, direction, onSort }: HeadingProps<Row>) {
  const { label, isNumber, from, width } = column
  const Arrow = direction === 'desc' ? ArrowDown : ArrowUp
  return (
    <th
      scope="col"
      aria-sort={direction ? (direction === 'asc' ? 'ascending' : 'descending') : undefined}
      style={{ width }}
      className={cx(HEAD, isNumber && 'text-right', from && SHOWN_FROM[from])}
    >
      {onSort ? (
        <button
          type="button"
          onClick={onSort}
          className={cx(
            'inline-flex items-center gap-1 rounded-sm hover:text-ink',
            direction && 'text-ink',
          )}
        >
          {label}
          {direction && <Arrow className="size-3" aria-hidden />}
        </button>
      ) : (
        label
      )}
    </th>
  )
}

/** A single cell without colspan: spanning would bring back the columns hidden on phones. */
function Spacer({ height }: { readonly height: number }) {
  if (height <= 0) return null
  return (
    <tr aria-hidden>
      <td style={{ height, padding: 0 }} />
    </tr>
  )
}

const scroller = () => document.getElementById('page')

/** The visible rows, and the height of those above and below. */
function useWindow<Row>({ hasMore, loadMore }: TableProps<Row>, count: number) {
  const body = useRef<HTMLTableSectionElement>(null)
  const [scrollMargin, setMargin] = useState(0)
  useLayoutEffect(() => {
    const page = scroller()
    if (!page || !body.current) return
    const top = body.current.getBoundingClientRect().top - page.getBoundingClientRect().top
    setMargin(Math.round(top + page.scrollTop))
  }, [count])
  const virtual = useVirtualizer({
    count,
    getScrollElement: scroller,
    estimateSize: () => ROW_PX,
    overscan: 12,
    scrollMargin,
    initialRect: { width: 1_000, height: 1_000 },
  })
  const items = virtual.getVirtualItems()
  const last = items.at(-1)
  const isNearEnd = last !== undefined && last.index >= count - MORE_BEFORE_END
  useEffect(() => {
    if (isNearEnd && hasMore) loadMore?.()
  }, [isNearEnd, hasMore, loadMore, count])
  return {
    body,
    items,
    above: (items[0]?.start ?? scrollMargin) - scrollMargin,
    below: virtual.getTotalSize() - ((last?.end ?? scrollMargin) - scrollMargin),
  }
}
