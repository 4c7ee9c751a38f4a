import type { LedgerProofs } from '@placard/contract/tracking'
import { Scale } from 'lucide-react'
import type { Static } from 'typebox'
import { api } from '../../api/client.ts'
import { useChange, useRead } from '../../api/hooks.ts'
import { useMay } from '../../api/me.ts'
import { When } from '../../ui/format/amounts.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { dayBefore, dayIn, sayCount } from '../../ui/format/format.ts'
import { useNow } from '../../ui/format/now.ts'
import { Answer, EmptyState } from '../../ui/layout/states.tsx'
import { notify, notifyProblem } from '../../ui/overlays/toast.tsx'

type Proofs = Static<typeof LedgerProofs>

const PROOFS = '/admin/budget/proofs'
const SHOWN = 5

/** Whether the ledger agrees with every event. */
export function Proofs() {
  const may = useMay()
  const today = dayIn(new Date(useNow(60)), 'UTC')
  const proofs = useRead<Proofs>(PROOFS)
  const prove = useChange(
    () => api.post<Proofs>(PROOFS, { fromDay: dayBefore(today, 6), toDay: today }),
    { touches: [PROOFS] },
  )
  return (
    <Card
      title="Ledger checks"
      hint="Budgets, ledger entries and events must match exactly"
      isFlush
      actions={
        may('operations:write') && (
          <Button
            icon={Scale}
            isBusy={prove.isPending}
            onClick={() =>
              prove.mutate(undefined, {
                onSuccess: () => notify('The last seven days are checked.'),
                onError: notifyProblem,
              })
            }
          >
            Check the last 7 days
          </Button>
        )
      }
    >
      <Answer of={proofs}>
        {({ items }) =>
          items.length === 0 ? (
            <EmptyState icon={Scale} title="No checks yet" />
          ) : (
            <ul>
              {items.slice(0, SHOWN).map(({ provedAt, budgetDays, differenceMicros, faults }) => (
                <li
                  key={provedAt}
                  className="flex flex-wrap items-center gap-3 px-4 py-2.5 not-last:border-b"
                >
                  <Badge tone={faults.length === 0 ? 'good' : 'bad'}>
                    {faults.length === 0 ? 'All match' : `${faults.length} do not match`}
                  </Badge>
                  <span>{sayCount(budgetDays)} budget days</span>
                  {differenceMicros !== '0' && (
                    <span className="text-bad figures">{differenceMicros} micros</span>
                  )}
                  <span className="ml-auto text-xs text-ink-faint">
                    <When at={provedAt} />
                  </span>
                </li>
              ))}
            </ul>
          )
        }
      </Answer>
    </Card>
  )
}
