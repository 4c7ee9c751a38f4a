import { Building2, Pencil } from 'lucide-react'
import { useMemo, useState } from 'react'
import { api } from '../../api/client.ts'
import { useChange, useList } from '../../api/hooks.ts'
import { useMay } from '../../api/me.ts'
import type { Publisher } from '../../api/types.ts'
import { Badge } from '../../ui/badge.tsx'
import { IconButton } from '../../ui/button.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { FormDialog } from '../../ui/forms/form-dialog.tsx'
import { SelectField, SwitchField, TextField } from '../../ui/forms/fields.tsx'
import { useForm } from '../../ui/forms/form.ts'
import { EmptyState } from '../../ui/layout/states.tsx'
import { notify } from '../../ui/overlays/toast.tsx'
import { zonesWith } from '../../ui/forms/zones.ts'

const PATH = '/admin/publishers'

/** Publishers, and whose placements a request without a placement uses. */
export function Publishers({ search }: { readonly search: string }) {
  const canChange = useMay()('sites:write')
  const [editing, setEditing] = useState<Publisher>()
  const list = useList<Publisher>(PATH, { query: { search, sort: 'name' } })
  const columns = useMemo(
    (): Column<Publisher>[] => [
      {
        name: 'name',
        label: 'Publisher',
        cell: ({ name, isDefault }) => (
          <>
            {name} {isDefault && <Badge tone="good">Default</Badge>}
          </>
        ),
      },
      { name: 'currency', label: 'Currency', width: '6rem', cell: ({ currency }) => currency },
      {
        name: 'zone',
        label: 'Time zone',
        width: '12rem',
        from: 'sm',
        cell: ({ timeZone }) => timeZone,
      },
      ...(canChange
        ? [
            {
              name: 'edit',
              label: '',
              width: '3.5rem',
              cell: (publisher: Publisher) => (
                <IconButton
                  label={`Edit ${publisher.name}`}
                  icon={Pencil}
                  onClick={() => setEditing(publisher)}
                />
              ),
            },
          ]
        : []),
    ],
    [canChange],
  )
  return (
    <Card isFlush>
      <DataTable
        label="Publishers"
        columns={columns}
        {...list}
        keyOf={({ id }) => id}
        empty={<EmptyState icon={Building2} title="No publishers found" />}
      />
      {editing && <EditPublisher publisher={editing} onClose={() => setEditing(undefined)} />}
    </Card>
  )
}

interface EditProps {
  readonly publisher: Publisher
  readonly onClose: () => void
}

function EditPublisher({ publisher, onClose }: EditProps) {
  const decides = useMay()('proposals:write')
  const { id, version, name, timeZone } = publisher
  const [isDefault, setDefault] = useState(publisher.isDefault)
  const save = useChange((body: object) => api.patch(`${PATH}/${id}`, body, version), {
    touches: [PATH, '/admin/placements', '/admin/sites'],
  })
  const { values, field } = useForm({ name, timeZone }, save.error)
  return (
    <FormDialog
      title={`Edit ${name}`}
      action="Save"
      of={save}
      onSubmit={() =>
        save.mutate(
          { ...values, ...(isDefault !== publisher.isDefault && { isDefault }) },
          {
            onSuccess() {
              notify(`${values.name} is saved.`)
              onClose()
            },
          },
        )
      }
      onClose={onClose}
    >
      <TextField label="Name" required {...field('name')} />
      <SelectField label="Time zone" options={zonesWith(timeZone)} {...field('timeZone')} />
      <SwitchField
        label="Default publisher"
        hint={
          publisher.isDefault
            ? 'Ad requests that name only a placement type are answered with its placements. To change that, make another publisher the default.'
            : 'Answer ad requests that name only a placement type with its placements, in place of the publisher that is the default now.'
        }
        isOn={isDefault}
        disabled={!decides || publisher.isDefault}
        onToggle={setDefault}
      />
    </FormDialog>
  )
}
