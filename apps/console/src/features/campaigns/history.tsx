import { History as HistoryIcon } from 'lucide-react'
import { useList } from '../../api/hooks.ts'
import type { AuditRecord } from '../../api/types.ts'
import { When } from '../../ui/format/amounts.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { sayWord } from '../../ui/format/format.ts'
import { fieldLabel } from '../../ui/format/words.ts'
import { EmptyState, ProblemState, Waiting } from '../../ui/layout/states.tsx'
import { changesOf } from './changes-of-record.ts'

/** All changes, newest first. */
export function History({ campaignId }: { readonly campaignId: string }) {
  const { rows, isLoading, error, retry, hasMore, loadMore } = useList<AuditRecord>(
    `/admin/campaigns/${campaignId}/history`,
    { pageSize: 50 },
  )
  return (
    <Card
      title="History"
      hint="Changes to the campaign, its ads, audience, limits and placements"
      isFlush
    >
      {isLoading && <Waiting />}
      {error && rows.length === 0 && <ProblemState error={error} retry={retry} />}
      {!isLoading && !error && rows.length === 0 && (
        <EmptyState icon={HistoryIcon} title="No changes yet" />
      )}
      <ol>
        {rows.map((record) => (
          <li key={record.id} className="flex flex-col gap-1 px-4 py-3 not-last:border-b">
            <p className="flex flex-wrap items-baseline gap-x-2">
              <span className="font-medium">{record.actorName}</span>
              <span>{sayAction(record)}</span>
              <span className="ml-auto text-xs text-ink-faint">
                <When at={record.occurredAt} />
              </span>
            </p>
            <ul className="flex flex-col gap-0.5 text-xs text-ink-soft">
              {changesOf(record).map(({ field, from, to }) => (
                <li key={field}>
                  <span className="text-ink-faint">{fieldLabel(field)}:</span> {from} → {to}
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ol>
      {hasMore && (
        <div className="border-t p-3 text-center">
          <Button onClick={loadMore}>Show older changes</Button>
        </div>
      )}
    </Card>
  )
}

/** `targeting-rule.create` → `create targeting rule`. For the campaign itself only `activate`. */
function sayAction({ action, entity }: AuditRecord): string {
  const verb = sayWord(action.split('.').at(-1) ?? action).toLowerCase()
  return entity === 'campaign' ? verb : `${verb} ${entity}`
}
