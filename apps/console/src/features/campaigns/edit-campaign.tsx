import { api } from '../../api/client.ts'
import { useChange } from '../../api/hooks.ts'
import { useMay } from '../../api/me.ts'
import type { Campaign } from '../../api/types.ts'
import { FormDialog } from '../../ui/forms/form-dialog.tsx'
import { AreaField, MoneyField, SelectField, TextField } from '../../ui/forms/fields.tsx'
import { orNull, useForm } from '../../ui/forms/form.ts'
import { readInstant, readMoney, typedInstant, typedMoney } from '../../ui/format/format.ts'
import { notify } from '../../ui/overlays/toast.tsx'
import { TOUCHED } from './changes.ts'
import { useAdvertiserZone } from './overview.tsx'
import { hintOf } from './sellers-fields.ts'

const PACES = [
  { value: 'Smooth', label: 'Evenly over the day' },
  { value: 'Accelerated', label: 'As fast as possible' },
]

/**
 * The typed amount for the API. Text that is no amount is sent as it is, so that the server names
 * the fault.
 */
export const moneyOrNull = (text: string) => orNull(readMoney(text) ?? text)

interface Changed {
  readonly proposal?: { readonly message: string }
}

interface Props {
  readonly campaign: Campaign
  readonly onClose: () => void
}

export function EditCampaign({ campaign, onClose }: Props) {
  const zone = useAdvertiserZone(campaign)
  const { currency } = campaign
  const decides = useMay()('proposals:write')
  const save = useChange(
    (body: object) => api.patch<Changed>(`/admin/campaigns/${campaign.id}`, body, campaign.version),
    { touches: TOUCHED },
  )
  const { values, field } = useForm(
    {
      name: campaign.name,
      description: campaign.description ?? '',
      budgetDailyMicros: typedMoney(campaign.budgetDailyMicros),
      budgetTotalMicros: typedMoney(campaign.budgetTotalMicros),
      maxBidMicros: campaign.maxBidMicros === '0' ? '' : typedMoney(campaign.maxBidMicros),
      targetCpaMicros: typedMoney(campaign.targetCpaMicros),
      pacingStrategy: campaign.pacingStrategy,
      startsAt: typedInstant(campaign.startsAt, zone),
      endsAt: typedInstant(campaign.endsAt, zone),
      priority: String(campaign.priority),
    },
    save.error,
  )
  const submit = () =>
    save.mutate(
      {
        name: values.name,
        description: orNull(values.description),
        budgetDailyMicros: moneyOrNull(values.budgetDailyMicros),
        budgetTotalMicros: moneyOrNull(values.budgetTotalMicros),
        maxBidMicros: moneyOrNull(values.maxBidMicros) ?? '0',
        targetCpaMicros: moneyOrNull(values.targetCpaMicros),
        pacingStrategy: values.pacingStrategy,
        startsAt: readInstant(values.startsAt, zone),
        endsAt: readInstant(values.endsAt, zone),
        priority: Number(values.priority),
      },
      {
        onSuccess: ({ proposal }) => {
          notify(proposal ? `Saved. ${proposal.message}` : `“${values.name}” is saved.`)
          onClose()
        },
      },
    )
  return (
    <FormDialog title="Edit campaign" action="Save" of={save} onSubmit={submit} onClose={onClose}>
      <TextField label="Name" required {...field('name')} />
      <AreaField label="Description" isOptional rows={2} {...field('description')} />
      <div className="grid gap-3 sm:grid-cols-2">
        <MoneyField
          label="Daily budget"
          isOptional
          currency={currency}
          {...field('budgetDailyMicros')}
        />
        <MoneyField
          label="Total budget"
          isOptional
          currency={currency}
          {...field('budgetTotalMicros')}
        />
        <MoneyField
          label="Maximum bid"
          currency={currency}
          hint={hintOf('maxBidMicros', decides)}
          {...field('maxBidMicros')}
        />
        {campaign.pricing === 'cpc' && (
          <MoneyField
            label="Target cost per purchase"
            isOptional
            currency={currency}
            hint="Bids follow it once it has passed its test: see “Bidding”."
            {...field('targetCpaMicros')}
          />
        )}
        <SelectField label="Pacing" {...field('pacingStrategy')} options={PACES} />
        <TextField
          label={`Starts (${zone})`}
          isOptional
          type="datetime-local"
          {...field('startsAt')}
        />
        <TextField label={`Ends (${zone})`} isOptional type="datetime-local" {...field('endsAt')} />
        <TextField
          label="Priority"
          type="number"
          min={0}
          hint={hintOf('priority', decides)}
          {...field('priority')}
        />
      </div>
    </FormDialog>
  )
}
