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

interface MakeProps<Row extends ThingRow, Made> {
  readonly of: Thing<Row, Made>
  readonly onClose: () => void
}

/** Makes a thing, and shows what the server tells only once. Only the server validates. */
export function MakeThing<Row extends ThingRow, Made>({ of, onClose }: MakeProps<Row, Made>) {
  const navigate = useNavigate()
  const { path, makeAt = path, touches = [], shownOnce, openAfter, noun } = of
  const make = useChange((body: object) => api.post<Made>(makeAt, body), {
    touches: [path, ...touches],
  })
  const form = useThingForm(of.fields, undefined)
  if (make.data && shownOnce) return shownOnce(make.data, onClose)
  const onSuccess = (made: Made) => {
    if (shownOnce) return
    onClose()
    notify(`The new ${noun} is saved.`)
    if (openAfter) void navigate({ to: openAfter(made) })
  }
  return (
    <FormDialog
      title={newLabelOf(of)}
      action={of.newLabel ?? `Create ${noun}`}
      of={make}
      onSubmit={() => make.mutate(newBody(form.usable, form.values), { onSuccess })}
      onClose={onClose}
    >
      <Entries form={form} error={make.error} />
    </FormDialog>
  )
}

interface ChangeProps<Row extends ThingRow> {
  readonly of: Pick<Thing<Row>, 'path' | 'touches' | 'nameOf' | 'fields'>
  readonly row: Row
  readonly onClose: () => void
}

/** Changes a thing: sends what was changed, for the version that was opened. */
export function ChangeThing<Row extends ThingRow>({ of, row, onClose }: ChangeProps<Row>) {
  const { path, touches = [], nameOf, fields } = of
  const save = useChange((body: object) => api.patch<Row>(`${path}/${row.id}`, body, row.version), {
    touches: [path, ...touches],
  })
  const form = useThingForm(fields, row)
  const onSuccess = (saved: Row) => {
    onClose()
    notify(`${nameOf(saved)} is saved.`)
  }
  return (
    <FormDialog
      title={`Edit ${nameOf(row)}`}
      action="Save"
      of={save}
      onSubmit={() => save.mutate(changeBody(form.usable, form), { onSuccess })}
      onClose={onClose}
    >
      <Entries form={form} error={save.error} />
    </FormDialog>
  )
}

type Form = ReturnType<typeof useThingForm>

function Entries({ form, error }: { readonly form: Form; readonly error: unknown }) {
  const faults = faultsOf(error)
  return form.shown.map((field) => (
    <ThingEntry
      key={field.name}
      field={field}
      value={form.values[field.name]!}
      onValue={(value) => form.set(field.name, value)}
      fault={faults[field.name]}
      hint={form.hintOf(field)}
      currency={form.currency}
    />
  ))
}

const PROPOSED = 'Ad operations decide: a change is sent to them as a proposal.'

/** The values of a form, and which of its fields this user sees. */
function useThingForm(fields: readonly ThingField[], row: object | undefined) {
  const may = useMay()
  const me = useMe()
  const isSeller = may('proposals:write')
  const all = fieldsFor(fields, row === undefined)
  const usable = row || isSeller ? all : all.filter((field) => !field.isSellers)
  const [before] = useState(() => valuesOf(usable, row, me))
  const [values, setValues] = useState(before)
  const currency = values['currency'] ?? (row && 'currency' in row ? row.currency : '')
  return {
    before,
    values,
    set: (name: string, value: FormValue) => setValues((now) => ({ ...now, [name]: value })),
    usable,
    shown: usable.filter(
      ({ needs, when }) => (needs === undefined || may(needs)) && (when?.(values) ?? true),
    ),
    hintOf: ({ isSellers, hint }: ThingField) => (isSellers && !isSeller ? PROPOSED : hint),
    currency: typeof currency === 'string' ? currency : '',
  }
}
