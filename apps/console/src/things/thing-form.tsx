import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../api/client.ts'
import { useChange } from '../api/hooks.ts'
import { useMay, useMe } from '../api/me.ts'
import { faultsOf } from '../api/problem.ts'
import { FormDialog } from '../ui/forms/form-dialog.tsx'
import { notify } from '../ui/overlays/toast.tsx'
import { changeBody, fieldsFor, newBody, valuesOf } from './form-values.ts'
import { type FormValue, newLabelOf, type Thing, type ThingField, type ThingRow } from './thing.ts'
import { ThingEntry } from './thing-entry.tsx'

interface FormProps<Row extends ThingRow> {
  readonly of: Thing<Row>
  /** Undefined makes a new one. */
  readonly row?: Row | undefined
  readonly onClose: () => void
}

/** Makes a thing or changes it. Only the server validates. */
export function ThingForm<Row extends ThingRow>({ of, row, onClose }: FormProps<Row>) {
  const navigate = useNavigate()
  const form = useThingForm(of, row)
  const { save, values } = form
  if (save.data && !row && of.shownOnce) return of.shownOnce(save.data, onClose)
  const onSuccess = (saved: Row) => {
    if (row || !of.shownOnce) onClose()
    if (!row && of.openAfter) void navigate({ to: of.openAfter(saved) })
    else if (row || !of.shownOnce)
      notify(`${of.nameOf(row ? { ...row, ...saved } : saved)} is saved.`)
  }
  return (
    <FormDialog
      title={row ? `Edit ${of.nameOf(row)}` : newLabelOf(of)}
      action={row ? 'Save' : (of.newLabel ?? `Create ${of.noun}`)}
      of={save}
      onSubmit={() => save.mutate(form.body(), { onSuccess })}
      onClose={onClose}
    >
      {form.fields.map((field) => (
        <ThingEntry
          key={field.name}
          field={field}
          value={values[field.name]!}
          onValue={(value) => form.set(field.name, value)}
          fault={form.faults[field.name]}
          hint={form.hintOf(field)}
          currency={form.currency}
        />
      ))}
    </FormDialog>
  )
}

const PROPOSED = 'Ad operations decide: a change is sent to them as a proposal.'

/** The values of the form, and the call that saves them. */
function useThingForm<Row extends ThingRow>(of: Thing<Row>, row: Row | undefined) {
  const may = useMay()
  const me = useMe()
  const isSeller = may('proposals:write')
  const all = fieldsFor(of.fields, row === undefined)
  const usable = row || isSeller ? all : all.filter((field) => !field.isSellers)
  const [before] = useState(() => valuesOf(usable, row, me))
  const [values, setValues] = useState(before)
  const save = useChange(
    (body: object) =>
      row
        ? api.patch<Row>(`${of.path}/${row.id}`, body, row.version)
        : api.post<Row>(of.makeAt ?? of.path, body),
    { touches: [of.path, ...(of.touches ?? [])] },
  )
  const currency = values['currency'] ?? (row && 'currency' in row ? row.currency : '')
  return {
    save,
    values,
    set: (name: string, value: FormValue) => setValues((now) => ({ ...now, [name]: value })),
    fields: usable.filter(
      ({ needs, when }) => (needs === undefined || may(needs)) && (when?.(values) ?? true),
    ),
    faults: faultsOf(save.error),
    hintOf: ({ isSellers, hint }: ThingField) => (isSellers && !isSeller ? PROPOSED : hint),
    currency: typeof currency === 'string' ? currency : '',
    body: () => (row ? changeBody(usable, { before, values }) : newBody(usable, values)),
  }
}
