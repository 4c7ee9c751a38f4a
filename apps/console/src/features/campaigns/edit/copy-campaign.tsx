import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { useChange } from '../../../api/hooks.ts'
import type { Campaign } from '../../../api/types.ts'
import { SwitchField, TextField } from '../../../ui/forms/fields.tsx'
import { FormDialog } from '../../../ui/forms/form-dialog.tsx'
import { useForm } from '../../../ui/forms/form.ts'
import { notify } from '../../../ui/overlays/toast.tsx'
import { TOUCHED } from '../changes.ts'

interface Props {
  readonly campaign: Campaign
  readonly onClose: () => void
}

const NAME_MAX = 255

/** A new draft like this campaign. */
export function CopyDialog({ campaign, onClose }: Props) {
  const navigate = useNavigate()
  const [withAds, setWithAds] = useState(true)
  const copy = useChange(
    (body: object) => api.post<Campaign>(`/admin/campaigns/${campaign.id}/copy`, body),
    { touches: TOUCHED },
  )
  const name = `${campaign.name.slice(0, NAME_MAX - 7)} (copy)`
  const { values, field } = useForm({ name }, copy.error)
  return (
    <FormDialog
      title={`Copy “${campaign.name}”`}
      about="The copy is a draft with the same terms, audience, caps and placements. It has no dates."
      action="Copy"
      of={copy}
      onSubmit={() =>
        copy.mutate(
          { ...values, withAds },
          {
            onSuccess: ({ id }) => {
              notify(`“${values.name}” is a draft now.`)
              onClose()
              void navigate({ to: `/campaigns/${id}` })
            },
          },
        )
      }
      onClose={onClose}
    >
      <TextField label="Name" required maxLength={NAME_MAX} {...field('name')} />
      <SwitchField label="With its ads" isOn={withAds} onToggle={setWithAds} />
    </FormDialog>
  )
}
