import { useList } from '../../api/hooks.ts'
import type { AuditRecord } from '../../api/types.ts'
import { RecordList } from '../../history/record-list.tsx'
import { Card } from '../../ui/layout/card.tsx'

/** All changes, newest first. */
export function History({ campaignId }: { readonly campaignId: string }) {
  const list = useList<AuditRecord>(`/admin/campaigns/${campaignId}/history`, { pageSize: 50 })
  return (
    <Card
      title="History"
      hint="Changes to the campaign, its ads, audience, limits and placements"
      isFlush
    >
      <RecordList list={list} />
    </Card>
  )
}
