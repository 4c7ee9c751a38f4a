import type { CampaignLedger } from '@placard/contract/tracking'
import { BookOpenCheck, RotateCcw } from 'lucide-react'
import { useState } from 'react'
import type { Static } from 'typebox'
import { api } from '../../api/client.ts'
import { useChange, useRead } from '../../api/hooks.ts'
import { useMay } from '../../api/me.ts'
import type { BudgetPacer, Campaign } from '../../api/types.ts'
import { usePathParam } from '../../search-params.ts'
import { Money } from '../../ui/format/amounts.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { Chart } from '../../ui/figures/chart.tsx'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { Confirm } from '../../ui/overlays/dialog.tsx'
import { sayMoney } from '../../ui/format/format.ts'
import { Page } from '../../ui/layout/page.tsx'
import { Answer, EmptyState } from '../../ui/layout/states.tsx'
import { notify } from '../../ui/overlays/toast.tsx'

type Ledger = Static<typeof CampaignLedger>
type Day = Ledger['days'][number]

/** One campaign's ledger, one row per budget day. */
export function LedgerPage() {
  const may = useMay()
  const campaignId = usePathParam('campaignId')
  const [isConfirming, setConfirming] = useState(false)
  const campaign = useRead<Campaign>(`/admin/campaigns/${campaignId}`)
  const ledger = useRead<Ledger>(`/admin/budget/ledger/${campaignId}`, { everySeconds: 30 })
  return (
    <Page
      title={campaign.data?.name ?? 'Ledger'}
      about="Spend per budget day, checked against the ledger entries."
      parent={{ title: 'Budgets', to: '/budgets' }}
      actions={
        <>
          <ButtonLink to={`/campaigns/${campaignId}`}>Open campaign</ButtonLink>
          {may('operations:write') && (
            <Button icon={RotateCcw} onClick={() => setConfirming(true)}>
              Reset today’s budget
            </Button>
          )}
        </>
      }
    >
      <Answer of={campaign}>
        {({ currency }) => (
          <Answer of={ledger}>{({ days }) => <Days days={days} currency={currency} />}</Answer>
        )}
      </Answer>
      <Reset campaignId={campaignId} isOpen={isConfirming} onClose={() => setConfirming(false)} />
    </Page>
  )
}

function Days({ days, currency }: { readonly days: readonly Day[]; readonly currency: string }) {
  const ordered = days.toSorted((a, b) => (a.day < b.day ? -1 : 1))
  if (days.length === 0) {
    return (
      <Card>
        <EmptyState
          icon={BookOpenCheck}
          title="No spend yet"
          text="Each day appears with its first charge."
        />
      </Card>
    )
  }
  return (
    <>
      <Card title="Spend by budget day">
        <Chart
          label="Spend by budget day"
          x={ordered.map((_day, place) => place)}
          series={[
            {
              label: 'Spent',
              look: 'bars',
              values: ordered.map(({ spentMicros }) => Number(spentMicros)),
            },
          ]}
          sayX={(place) => ordered[Math.round(place)]?.day.slice(5) ?? ''}
          sayY={(value) => sayMoney(String(Math.round(value)), currency)}
        />
      </Card>
      <Card isFlush className="overflow-hidden md:overflow-visible">
        <DataTable
          label="Ledger"
          columns={columnsIn(currency)}
          rows={ordered.toReversed()}
          keyOf={({ day }) => day}
          empty={<EmptyState title="No budget days yet" />}
        />
      </Card>
    </>
  )
}

const columnsIn = (currency: string): Column<Day>[] => [
  { name: 'day', label: 'Budget day', cell: ({ day }) => day },
  {
    name: 'spent',
    label: 'Spent',
    width: '8rem',
    isNumber: true,
    cell: ({ spentMicros }) => <Money micros={spentMicros} currency={currency} />,
  },
  {
    name: 'limit',
    label: 'Limit',
    width: '8rem',
    isNumber: true,
    from: 'sm',
    cell: ({ limitMicros }) => <Money micros={limitMicros} currency={currency} none="none" />,
  },
  {
    name: 'entries',
    label: 'Ledger total',
    width: '8rem',
    isNumber: true,
    from: 'md',
    cell: ({ entriesMicros }) => <Money micros={entriesMicros} currency={currency} />,
  },
  {
    name: 'allowance',
    label: 'Budget reset',
    width: '8rem',
    isNumber: true,
    from: 'lg',
    cell: ({ allowanceMicros }) => <Money micros={allowanceMicros} currency={currency} />,
  },
  {
    name: 'agrees',
    label: 'Matches',
    width: '6rem',
    cell: ({ agrees }) => <Badge tone={agrees ? 'good' : 'bad'}>{agrees ? 'Yes' : 'No'}</Badge>,
  },
]

interface ResetProps {
  readonly campaignId: string
  readonly isOpen: boolean
  readonly onClose: () => void
}

function Reset({ campaignId, isOpen, onClose }: ResetProps) {
  const reset = useChange(
    () => api.put<BudgetPacer>(`/admin/budget/campaigns/${campaignId}/reset`),
    { touches: ['/admin/budget'] },
  )
  return (
    <Confirm
      title="Reset today’s budget?"
      text="Today’s spend stays in the ledger, and the campaign may spend its daily budget once more today. The total budget and the advertiser’s limits still apply."
      action="Reset budget"
      isBusy={reset.isPending}
      error={reset.error}
      isOpen={isOpen}
      onClose={onClose}
      onConfirm={() =>
        reset.mutate(undefined, {
          onSuccess: () => {
            notify('Today’s budget is reset.')
            onClose()
          },
        })
      }
    />
  )
}
