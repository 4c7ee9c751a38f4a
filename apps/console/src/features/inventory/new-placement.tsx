import { useNavigate } from '@tanstack/react-router'
import { Building2 } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { useChange, useRead } from '../../api/hooks.ts'
import { faultsOf } from '../../api/problem.ts'
import type { PageOf, Placement, Publisher } from '../../api/types.ts'
import { PUBLISHERS } from '../../things/choosables.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { FormDialog } from '../../ui/forms/form-dialog.tsx'
import { MoneyField, SelectField, TextField } from '../../ui/forms/fields.tsx'
import { useForm } from '../../ui/forms/form.ts'
import { SearchPicker } from '../../ui/forms/search-picker.tsx'
import { EmptyState } from '../../ui/layout/states.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { readMoney } from '../../ui/format/format.ts'
import { LAYOUTS } from '../creatives/banner-preview.tsx'
import { MODE_OPTIONS } from './modes.ts'

const LAYOUT_OPTIONS = Object.entries(LAYOUTS).map(([value, { label }]) => ({ value, label }))

export function NewPlacement({ onClose }: { readonly onClose: () => void }) {
  const navigate = useNavigate()
  const [chosen, setChosen] = useState('')
  const publishers = useRead<PageOf<Publisher>>('/admin/publishers', {
    query: { limit: 2, sort: 'name' },
  })
  // Somebody with one publisher need not choose it.
  const only = publishers.data?.items.length === 1 ? publishers.data.items[0] : undefined
  const publisherId = chosen || only?.id || ''
  const publisher = useRead<Publisher>(`/admin/publishers/${publisherId}`, {
    when: publisherId !== '',
  })
  const make = useChange((body: object) => api.post<Placement>('/admin/placements', body), {
    touches: ['/admin/placements'],
  })
  const { values, field } = useForm(
    {
      label: '',
      slug: '',
      layoutType: 'inline_card',
      mode: 'hybrid',
      floorMicros: '0.50',
      width: '',
      height: '',
    },
    make.error,
  )
  const submit = () =>
    make.mutate(
      {
        publisherId,
        label: values.label,
        slug: values.slug || slugOf(values.label),
        layoutType: values.layoutType,
        mode: values.mode,
        floorMicros: readMoney(values.floorMicros) ?? values.floorMicros,
        ...(values.width && { recommendedWidth: Number(values.width) }),
        ...(values.height && { recommendedHeight: Number(values.height) }),
      },
      { onSuccess: ({ id }) => void navigate({ to: `/placements/${id}` }) },
    )
  if (publishers.data?.items.length === 0) return <FirstPublisher onClose={onClose} />
  return (
    <FormDialog
      title="New placement"
      action="Create placement"
      of={make}
      onSubmit={submit}
      onClose={onClose}
    >
      <SearchPicker
        of={PUBLISHERS}
        label="Publisher"
        value={publisherId}
        onValue={setChosen}
        fault={faultsOf(make.error)['publisherId']}
      />
      <TextField label="Name" required placeholder="Home page, top" {...field('label')} />
      <TextField
        label="Slug"
        isOptional
        placeholder={slugOf(values.label) || 'home-top'}
        {...field('slug')}
        hint="Used in the tag. It cannot be changed or reused."
      />
      <div className="grid gap-3 sm:grid-cols-2">
        <SelectField label="Layout" {...field('layoutType')} options={LAYOUT_OPTIONS} />
        <SelectField label="Sales mode" {...field('mode')} options={MODE_OPTIONS} />
        <TextField label="Width" isOptional type="number" min={1} {...field('width')} />
        <TextField label="Height" isOptional type="number" min={1} {...field('height')} />
      </div>
      <MoneyField
        label="Floor price (CPM)"
        currency={publisher.data?.currency ?? ''}
        {...field('floorMicros')}
      />
    </FormDialog>
  )
}

/** A placement belongs to a publisher, and there is none. */
const FirstPublisher = ({ onClose }: { readonly onClose: () => void }) => (
  <Dialog title="New placement" isOpen onClose={onClose}>
    <EmptyState
      icon={Building2}
      title="First make a publisher"
      text="A placement belongs to a publisher, which says in which currency it sells."
      action={
        <ButtonLink to="/placements" search={{ part: 'publishers', open: 'new' }} look="primary">
          New publisher
        </ButtonLink>
      }
    />
  </Dialog>
)

/** `Home page, top` → `home-page-top`. */
const slugOf = (label: string) =>
  label
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
