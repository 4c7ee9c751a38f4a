import { Pencil, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { useChange, useRead } from '../../api/hooks.ts'
import { useMay } from '../../api/me.ts'
import type { BudgetPacer, Campaign, FrequencyCap, PageOf } from '../../api/types.ts'
import { Money } from '../../ui/format/amounts.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { FormDialog } from '../../ui/forms/form-dialog.tsx'
import { useForm } from '../../ui/forms/form.ts'
import { sayCount, sayInstant } from '../../ui/format/format.ts'
import { Fact } from '../../ui/layout/fact.tsx'
import { Meter } from '../../ui/figures/meter.tsx'
import { EmptyState } from '../../ui/layout/states.tsx'
import { notifyProblem } from '../../ui/overlays/toast.tsx'
import { CapFields, NEW_CAP, sayWindow } from '../frequency/cap-fields.tsx'
import { useAdvertiserZone } from './overview.tsx'

const CAPS = '/admin/frequency/caps'

export function Limits({ campaign }: { readonly campaign: Campaign }) {
  return (
    <div className="grid gap-4 lg:grid-cols-2">
      <Budget campaign={campaign} />
      <Caps campaign={campaign} />
    </div>
  )
}

function Budget({ campaign }: { readonly campaign: Campaign }) {
  const { id, currency, pacingStrategy } = campaign
  const zone = useAdvertiserZone(campaign)
  const pacer = useRead<BudgetPacer>(`/admin/budget/campaigns/${id}`, { everySeconds: 10 })
  const daily = Number(pacer.data?.dailyBudgetMicros ?? 0)
  const dateOf = (at: string | null) => (at ? sayInstant(at, zone) : '—')
  return (
    <Card title="Budget and schedule" hint={`Days in ${zone}`}>
      {pacer.data && daily > 0 && (
        <div className="mb-4">
          <p className="mb-1.5 flex justify-between">
            <span>Spent today</span>
            <span className="font-medium">
              <Money micros={pacer.data.spentTodayMicros} currency={currency} />
            </span>
          </p>
          <Meter
            label="Share of today’s budget spent"
            share={Number(pacer.data.spentTodayMicros) / daily}
            planned={Number(pacer.data.plannedMicros ?? 0) / daily}
          />
        </div>
      )}
      <dl className="grid gap-x-6 sm:grid-cols-2">
        <Fact name="Daily budget">
          <Money micros={campaign.budgetDailyMicros} currency={currency} />
        </Fact>
        <Fact name="Total budget">
          <Money micros={campaign.budgetTotalMicros} currency={currency} />
        </Fact>
        <Fact name="Maximum bid">
          <Money
            micros={campaign.maxBidMicros === '0' ? null : campaign.maxBidMicros}
            currency={currency}
          />
        </Fact>
        {campaign.targetCpaMicros && (
          <Fact name="Target cost per purchase">
            <Money micros={campaign.targetCpaMicros} currency={currency} />
          </Fact>
        )}
        <Fact name="Pacing">
          {pacingStrategy === 'Smooth' ? 'Evenly over the day' : 'As fast as possible'}
        </Fact>
        <Fact name="Starts">{dateOf(campaign.startsAt)}</Fact>
        <Fact name="Ends">{dateOf(campaign.endsAt)}</Fact>
        <Fact name="Impressions booked">
          {campaign.impressionCap ? sayCount(campaign.impressionCap) : '—'}
        </Fact>
        <Fact name="Clicks booked">{campaign.clickCap ? sayCount(campaign.clickCap) : '—'}</Fact>
      </dl>
    </Card>
  )
}

function Caps({ campaign }: { readonly campaign: Campaign }) {
  const canChange = useMay()('caps:write')
  const [opened, setOpened] = useState<FrequencyCap | 'new'>()
  const caps = useRead<PageOf<FrequencyCap> | FrequencyCap[]>(CAPS, {
    query: { campaignId: campaign.id },
  })
  const remove = useChange((id: string) => api.delete(`${CAPS}/${id}`), { touches: [CAPS] })
  const rows = Array.isArray(caps.data) ? caps.data : (caps.data?.items ?? [])
  return (
    <Card
      title="Frequency caps"
      isFlush
      actions={
        canChange && (
          <Button icon={Plus} onClick={() => setOpened('new')}>
            Add cap
          </Button>
        )
      }
    >
      {rows.length === 0 && (
        <EmptyState
          title="No frequency cap"
          text="One user may see the campaign any number of times."
        />
      )}
      <ul>
        {rows.map((cap) => (
          <li key={cap.id} className="flex items-center gap-2 px-4 py-2 not-last:border-b">
            <span className="flex-1">
              At most <strong className="figures">{cap.maxImpressionsPerUser}</strong> times per{' '}
              {sayWindow(cap.window)}
            </span>
            {canChange && (
              <>
                <IconButton
                  label={`Edit the cap per ${sayWindow(cap.window)}`}
                  icon={Pencil}
                  onClick={() => setOpened(cap)}
                />
                <IconButton
                  label={`Remove the cap per ${sayWindow(cap.window)}`}
                  icon={Trash2}
                  onClick={() => remove.mutate(cap.id, { onError: notifyProblem })}
                />
              </>
            )}
          </li>
        ))}
      </ul>
      {opened && (
        <CapDialog
          campaign={campaign}
          cap={opened === 'new' ? undefined : opened}
          onClose={() => setOpened(undefined)}
        />
      )}
    </Card>
  )
}

interface CapDialogProps {
  readonly campaign: Campaign
  /** Undefined for a new one. */
  readonly cap: FrequencyCap | undefined
  readonly onClose: () => void
}

function CapDialog({ campaign, cap, onClose }: CapDialogProps) {
  const save = useChange(
    (body: object) =>
      cap
        ? api.patch(`${CAPS}/${cap.id}`, body, cap.version)
        : api.post(CAPS, { ...body, campaignId: campaign.id }),
    { touches: [CAPS] },
  )
  const known = cap && {
    maxImpressionsPerUser: String(cap.maxImpressionsPerUser),
    window: cap.window as string,
  }
  const { values, field } = useForm(known ?? NEW_CAP, save.error)
  const maxImpressionsPerUser = Number(values.maxImpressionsPerUser)
  return (
    <FormDialog
      title={cap ? 'Edit cap' : 'Add cap'}
      about="Limits the impressions of the whole campaign per known user."
      action={cap ? 'Save' : 'Add cap'}
      of={save}
      onSubmit={() =>
        save.mutate({ maxImpressionsPerUser, window: values.window }, { onSuccess: onClose })
      }
      onClose={onClose}
    >
      <CapFields field={field} />
    </FormDialog>
  )
}
