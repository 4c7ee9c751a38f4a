import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { useChange, useRead } from '../../api/hooks.ts'
import type { PageOf, Placement, Publisher, Site } from '../../api/types.ts'
import { FormDialog } from '../../ui/forms/form-dialog.tsx'
import { MoneyField, SelectField, TextField } from '../../ui/forms/fields.tsx'
import { useForm } from '../../ui/forms/form.ts'
import { readMoney } from '../../ui/format/format.ts'
import { LAYOUTS } from '../creatives/banner-preview.tsx'
import { MODE_OPTIONS } from './modes.ts'

const LAYOUT_OPTIONS = Object.entries(LAYOUTS).map(([value, { label }]) => ({ value, label }))

function usePublisher() {
  const publishers = useRead<PageOf<Publisher>>('/admin/publishers', {
    query: { limit: 200, sort: 'name' },
  })
  const [chosen, setChosen] = useState('')
  const items = publishers.data?.items ?? []
  const publisher = items.find(({ id }) => id === chosen) ?? items[0]
  const choice = items.length > 1 && (
    <SelectField
      label="Publisher"
      value={publisher?.id ?? ''}
      onValue={setChosen}
      options={items.map(({ id, name }) => ({ value: id, label: name }))}
    />
  )
  return { publisher, choice }
}

export function NewPlacement({ onClose }: { readonly onClose: () => void }) {
  const navigate = useNavigate()
  const { publisher, choice } = usePublisher()
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
        publisherId: publisher?.id,
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
  return (
    <FormDialog
      title="New placement"
      action="Create placement"
      of={make}
      onSubmit={submit}
      onClose={onClose}
    >
      {choice}
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
        currency={publisher?.currency ?? ''}
        {...field('floorMicros')}
      />
    </FormDialog>
  )
}

/** `Home page, top` → `home-page-top`. */
const slugOf = (label: string) =>
  label
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')

export function NewSite({ onClose }: { readonly onClose: () => void }) {
  const navigate = useNavigate()
  const { publisher, choice } = usePublisher()
  const make = useChange((body: object) => api.post<Site>('/admin/sites', body), {
    touches: ['/admin/sites'],
  })
  const { values, field } = useForm({ name: '', domain: '' }, make.error)
  return (
    <FormDialog
      title="New site"
      action="Add site"
      of={make}
      onSubmit={() =>
        make.mutate(
          { ...values, publisherId: publisher?.id },
          { onSuccess: ({ id }) => void navigate({ to: `/sites/${id}` }) },
        )
      }
      onClose={onClose}
    >
      {choice}
      <TextField label="Name" required placeholder="The shop" {...field('name')} />
      <TextField label="Domain" required placeholder="shop.example" {...field('domain')} />
    </FormDialog>
  )
}
