import { Link } from '@tanstack/react-router'
import { History as HistoryIcon } from 'lucide-react'
import type { useList } from '../api/hooks.ts'
import { useZone } from '../api/me.ts'
import type { AuditRecord } from '../api/types.ts'
import { Button } from '../ui/button.tsx'
import { When } from '../ui/format/amounts.tsx'
import { EmptyState, ProblemState, Waiting } from '../ui/layout/states.tsx'
import { changesOf, deedOf, pageOf } from './record-words.ts'

/** Who changed what and when, in words, newest first. */
export function RecordList({ list }: { readonly list: ReturnType<typeof useList<AuditRecord>> }) {
  const { rows, isLoading, error, retry, hasMore, loadMore } = list
  if (isLoading) return <Waiting />
  if (error && rows.length === 0) return <ProblemState error={error} retry={retry} />
  if (rows.length === 0) return <EmptyState icon={HistoryIcon} title="No changes yet" />
  return (
    <>
      <ol>
        {rows.map((record) => (
          <RecordLine key={record.id} record={record} />
        ))}
      </ol>
      {hasMore && (
        <div className="border-t p-3 text-center">
          <Button onClick={loadMore}>Show older changes</Button>
        </div>
      )}
    </>
  )
}

function RecordLine({ record }: { readonly record: AuditRecord }) {
  const zone = useZone()
  const page = pageOf(record)
  const deed = deedOf(record)
  return (
    <li className="flex flex-col gap-1 px-4 py-3 not-last:border-b">
      <p className="flex flex-wrap items-baseline gap-x-1">
        <span className="font-medium">{record.actorName}</span>
        {page === undefined ? (
          <span>{deed}</span>
        ) : (
          <Link to={page} className="rounded-sm hover:underline">
            {deed}
          </Link>
        )}
        <span className="ml-auto text-xs text-ink-faint">
          <When at={record.occurredAt} isExact />
        </span>
      </p>
      <ul className="flex flex-col gap-0.5 text-xs text-ink-soft">
        {changesOf(record, zone).map((change) => (
          <li key={change} className="break-words">
            {change}
          </li>
        ))}
      </ul>
    </li>
  )
}
