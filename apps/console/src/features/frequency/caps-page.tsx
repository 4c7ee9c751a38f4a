import { Plus, Repeat, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { useChange, useRead } from '../../api/hooks.ts'
import { useMay } from '../../api/me.ts'
import type { FrequencyCap } from '../../api/types.ts'
import { When } from '../../ui/format/amounts.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { FormDialog } from '../../ui/forms/form-dialog.tsx'
import { SelectField } from '../../ui/forms/fields.tsx'
import { SearchPicker } from '../../ui/forms/search-picker.tsx'
import { ADVERTISERS, CAMPAIGNS } from '../../things/choosables.ts'
import { useForm } from '../../ui/forms/form.ts'
import { Page } from '../../ui/layout/page.tsx'
import { EmptyState } from '../../ui/layout/states.tsx'
import { notify, notifyProblem } from '../../ui/overlays/toast.tsx'
import { CapFields, NEW_CAP, sayWindow } from './cap-fields.tsx'

const CAPS = '/admin/frequency/caps'
/** Frequency caps of ads, campaigns and advertisers. */
export function CapsPage() {
  const canChange = useMay()('caps:write')
  const [isAdding, setAdding] = useState(false)
  const caps = useRead<FrequencyCap[]>(CAPS, { query: { limit: 200 } })
  const remove = useRemoval()
  return (
    <Page
      title="Frequency caps"
      about="How often one user may see an ad, a campaign or an advertiser. The strictest cap applies."
      actions={
        canChange && (
          <Button icon={Plus} look="primary" onClick={() => setAdding(true)}>
            New cap
          </Button>
        )
      }
    >
      <Card isFlush className="overflow-hidden md:overflow-visible">
        <DataTable
          label="Frequency caps"
          columns={columnsWith(canChange ? remove : undefined)}
          rows={caps.data ?? []}
          isLoading={caps.isPending}
          error={caps.error}
          retry={() => void caps.refetch()}
          keyOf={({ id }) => id}
          empty={
            <EmptyState
              icon={Repeat}
              title="No frequency caps yet"
              text="Without a cap, one user may see the same ad any number of times."
            />
          }
        />
      </Card>
      {isAdding && <AddCap onClose={() => setAdding(false)} />}
    </Page>
  )
}

/** Removes a cap, with an undo. */
function useRemoval(): (cap: FrequencyCap) => void {
  const remove = useChange((id: string) => api.delete(`${CAPS}/${id}`), { touches: [CAPS] })
  const add = useChange((body: object) => api.post(CAPS, body), { touches: [CAPS] })
  return ({ id, adId, campaignId, advertiserId, maxImpressionsPerUser, window }) =>
    remove.mutate(id, {
      onError: notifyProblem,
      onSuccess: () =>
        notify('The cap is removed.', () =>
          add.mutate(
            {
              ...(adId && { adId }),
              ...(campaignId && { campaignId }),
              ...(advertiserId && { advertiserId }),
              maxImpressionsPerUser,
              window,
            },
            { onError: notifyProblem },
          ),
        ),
    })
}

const nameOf = ({ adName, campaignName, advertiserName }: FrequencyCap) =>
  adName ?? campaignName ?? advertiserName ?? ''

const kindOf = ({ adId, campaignId }: FrequencyCap) =>
  adId ? 'Ad' : campaignId ? 'Campaign' : 'Advertiser'

const columnsWith = (remove: ((cap: FrequencyCap) => void) | undefined): Column<FrequencyCap>[] => [
  { name: 'name', label: 'Applies to', sortBy: nameOf, cell: (cap) => nameOf(cap) },
  {
    name: 'kind',
    label: 'Level',
    width: '7.5rem',
    from: 'sm',
    sortBy: kindOf,
    cell: (cap) => <Badge>{kindOf(cap)}</Badge>,
  },
  {
    name: 'limit',
    label: 'Limit',
    width: '11rem',
    sortBy: ({ maxImpressionsPerUser }) => maxImpressionsPerUser,
    cell: ({ maxImpressionsPerUser, window }) => (
      <>
        <span className="figures">{maxImpressionsPerUser}</span> per {sayWindow(window)}
      </>
    ),
  },
  {
    name: 'made',
    label: 'Created',
    width: '8rem',
    from: 'md',
    cell: ({ createdAt }) => <When at={createdAt} />,
  },
  ...(remove
    ? [
        {
          name: 'actions',
          label: '',
          width: '3.5rem',
          cell: (cap: FrequencyCap) => (
            <IconButton label="Remove this cap" icon={Trash2} onClick={() => remove(cap)} />
          ),
        },
      ]
    : []),
]

const LEVELS = [
  { value: 'campaignId', label: 'One campaign' },
  { value: 'advertiserId', label: 'All campaigns of an advertiser' },
] as const

function AddCap({ onClose }: { readonly onClose: () => void }) {
  const add = useChange((body: object) => api.post(CAPS, body), { touches: [CAPS] })
  const { values, field } = useForm(NEW_CAP, add.error)
  const [level, setLevel] = useState<(typeof LEVELS)[number]['value']>('campaignId')
  const [id, setId] = useState('')
  const picker = { value: id, onValue: setId }
  return (
    <FormDialog
      title="New cap"
      about="Applies to users whom the site identifies."
      action="Add cap"
      of={add}
      isReady={id !== ''}
      onSubmit={() => {
        const { maxImpressionsPerUser, window } = values
        add.mutate(
          { [level]: id, maxImpressionsPerUser: Number(maxImpressionsPerUser), window },
          { onSuccess: onClose },
        )
      }}
      onClose={onClose}
    >
      <SelectField
        label="Applies to"
        value={level}
        onValue={(next) => {
          setLevel(next)
          setId('')
        }}
        options={LEVELS}
      />
      {level === 'campaignId' ? (
        <SearchPicker of={CAMPAIGNS} label="Campaign" {...picker} />
      ) : (
        <SearchPicker of={ADVERTISERS} label="Advertiser" {...picker} />
      )}
      <CapFields field={field} />
    </FormDialog>
  )
}
