import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { useChange } from '../../../api/hooks.ts'
import type { Ad, Campaign } from '../../../api/types.ts'
import { MoneyField, SelectField, TextField } from '../../../ui/forms/fields.tsx'
import { FormDialog } from '../../../ui/forms/form-dialog.tsx'
import { orNull, useForm } from '../../../ui/forms/form.ts'
import { readMoney, typedMoney } from '../../../ui/format/format.ts'
import { notify } from '../../../ui/overlays/toast.tsx'

export const AD_STATES = [
  { value: 'active', label: 'Active' },
  { value: 'paused', label: 'Paused' },
  { value: 'ended', label: 'Ended' },
]

interface Props {
  readonly campaign: Campaign
  readonly ad: Ad
  readonly touches: readonly string[]
  readonly onClose: () => void
}

/** Name, bid and state of an ad. Its banner stays for life. */
export function EditAd({ campaign, ad, touches, onClose }: Props) {
  const save = useChange((body: object) => api.patch(`/admin/ads/${ad.id}`, body, ad.version), {
    touches,
  })
  const [before] = useState({
    name: ad.name,
    bidMicros: typedMoney(ad.bidMicros),
    status: ad.status,
    externalId: ad.externalId ?? '',
  })
  const { values, field } = useForm(before, save.error)
  const submit = () =>
    save.mutate(
      {
        name: values.name,
        bidMicros: readMoney(values.bidMicros) ?? values.bidMicros,
        status: values.status,
        externalId: orNull(values.externalId),
      },
      {
        onSuccess: () => {
          notify(`“${values.name}” is saved.`)
          onClose()
        },
      },
    )
  return (
    <FormDialog title="Edit ad" action="Save" of={save} onSubmit={submit} onClose={onClose}>
      <TextField label="Name" required {...field('name')} />
      <div className="grid gap-3 sm:grid-cols-2">
        <MoneyField
          label={
            campaign.pricing === 'cpm' ? 'Bid per 1,000 impressions (CPM)' : 'Bid per click (CPC)'
          }
          currency={campaign.currency}
          required
          {...field('bidMicros')}
        />
        <SelectField label="State" {...field('status')} options={AD_STATES} />
      </div>
      <TextField label="Your own id" isOptional {...field('externalId')} />
    </FormDialog>
  )
}
