import { Pencil, Plus } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { useChange, useList } from '../../../api/hooks.ts'
import { useMay } from '../../../api/me.ts'
import type { AdSet, Campaign } from '../../../api/types.ts'
import { StatusBadge } from '../../../ui/badge.tsx'
import { Button, IconButton } from '../../../ui/button.tsx'
import { SelectField, TextField } from '../../../ui/forms/fields.tsx'
import { FormDialog } from '../../../ui/forms/form-dialog.tsx'
import { useForm } from '../../../ui/forms/form.ts'
import { Card } from '../../../ui/layout/card.tsx'
import { notify } from '../../../ui/overlays/toast.tsx'
import { AD_STATES } from './edit-ad.tsx'

const SETS = '/admin/ad-sets'
const TOUCHED = [SETS, '/admin/ads', '/reports']

/** The groups that the campaign's ads are in: a paused one pauses all its ads. */
export function AdSets({ campaign }: { readonly campaign: Campaign }) {
  const canChange = useMay()('campaigns:write')
  const { rows, hasMore, loadMore } = useList<AdSet>(SETS, { query: { campaignId: campaign.id } })
  const [opened, setOpened] = useState<AdSet | 'new'>()
  if (rows.length === 0 && !canChange) return null
  return (
    <Card
      title="Ad sets"
      hint="Pause one, and none of its ads is shown"
      isFlush
      actions={
        canChange && (
          <Button icon={Plus} onClick={() => setOpened('new')}>
            Add ad set
          </Button>
        )
      }
    >
      <ul>
        {rows.map((set) => (
          <li key={set.id} className="flex items-center gap-2 px-4 py-2 not-last:border-b">
            <span className="min-w-0 flex-1 truncate font-medium">{set.name}</span>
            <StatusBadge status={set.status} />
            {canChange && (
              <IconButton
                label={`Edit ad set “${set.name}”`}
                icon={Pencil}
                onClick={() => setOpened(set)}
              />
            )}
          </li>
        ))}
      </ul>
      {hasMore && (
        <div className="p-2 text-center">
          <Button look="ghost" onClick={loadMore}>
            Show more
          </Button>
        </div>
      )}
      {opened && (
        <SetDialog
          campaign={campaign}
          set={opened === 'new' ? undefined : opened}
          onClose={() => setOpened(undefined)}
        />
      )}
    </Card>
  )
}

interface DialogProps {
  readonly campaign: Campaign
  /** Undefined for a new one. */
  readonly set: AdSet | undefined
  readonly onClose: () => void
}

function SetDialog({ campaign, set, onClose }: DialogProps) {
  const save = useChange(
    (body: object) =>
      set
        ? api.patch(`${SETS}/${set.id}`, body, set.version)
        : api.post(SETS, { ...body, campaignId: campaign.id }),
    { touches: TOUCHED },
  )
  const { values, field } = useForm(
    { name: set?.name ?? '', status: set?.status ?? 'active' },
    save.error,
  )
  return (
    <FormDialog
      title={set ? 'Edit ad set' : 'Add ad set'}
      action={set ? 'Save' : 'Add ad set'}
      of={save}
      onSubmit={() =>
        save.mutate(values, {
          onSuccess: () => {
            notify(`“${values.name}” is saved.`)
            onClose()
          },
        })
      }
      onClose={onClose}
    >
      <TextField label="Name" required {...field('name')} />
      <SelectField label="State" {...field('status')} options={AD_STATES} />
    </FormDialog>
  )
}
