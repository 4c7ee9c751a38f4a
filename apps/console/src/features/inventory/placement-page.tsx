import { Link } from '@tanstack/react-router'
import { CircleHelp, Plus } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { useChange, useRead } from '../../api/hooks.ts'
import { useMay } from '../../api/me.ts'
import type { Placement } from '../../api/types.ts'
import { usePathParam } from '../../search-params.ts'
import { MAKE_AT, SITES } from '../../things/choosables.ts'
import { PickThing } from '../../things/pick-thing.tsx'
import { ThingMenu } from '../../things/things.tsx'
import { StatusBadge } from '../../ui/badge.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { FormDialog } from '../../ui/forms/form-dialog.tsx'
import { MoneyField, SelectField, SwitchField, TextField } from '../../ui/forms/fields.tsx'
import { orNull, useForm } from '../../ui/forms/form.ts'
import { readMoney, sayWord, typedMoney } from '../../ui/format/format.ts'
import { Page } from '../../ui/layout/page.tsx'
import { Answer, EmptyState, ProblemNote } from '../../ui/layout/states.tsx'
import { notify, notifyProblem } from '../../ui/overlays/toast.tsx'
import { PlacementDeliveryCard } from '../delivery/placement-delivery.tsx'
import { MODE_OPTIONS } from './modes.ts'
import { ServesNow } from './serves-now.tsx'
import { placementThing } from './placement-thing.tsx'
import { PlacementTag, useSlots } from './placement-tag.tsx'

const TOUCHED = ['/admin/placements', '/banners/serve']

export function PlacementPage() {
  const id = usePathParam('placementId')
  const placement = useRead<Placement>(`/admin/placements/${id}`)
  return <Answer of={placement}>{(data) => <Detail key={data.id} placement={data} />}</Answer>
}

function Detail({ placement }: { readonly placement: Placement }) {
  const may = useMay()
  const { id, label, slug, layoutType, isActive, version } = placement
  const toggle = useChange(
    (on: boolean) => api.patch(`/admin/placements/${id}`, { isActive: on }, version),
    {
      touches: TOUCHED,
    },
  )
  return (
    <Page
      title={label}
      parent={{ title: 'Placements and sites', to: '/placements' }}
      mark={<StatusBadge status={isActive ? 'active' : 'off'} />}
      about={
        <>
          <span className="font-mono text-xs">{slug}</span> · {sayWord(layoutType)}
        </>
      }
      actions={
        <>
          {may('decisions:read') && (
            <ButtonLink to="/why" search={{ placement: slug }} look="ghost" icon={CircleHelp}>
              Why?
            </ButtonLink>
          )}
          {may('placements:write') && (
            <Button
              isBusy={toggle.isPending}
              onClick={() =>
                toggle.mutate(!isActive, {
                  onSuccess: () => notify(`${label} is ${isActive ? 'deactivated' : 'activated'}.`),
                  onError: notifyProblem,
                })
              }
            >
              {isActive ? 'Deactivate' : 'Activate'}
            </Button>
          )}
          <ThingMenu of={placementThing} row={placement} />
        </>
      }
    >
      <PlacementDeliveryCard id={id} />
      <ServesNow placement={placement} />
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <Settings placement={placement} />
        <div className="flex flex-col gap-4">
          <Slots placement={placement} />
          <Card
            title="Tag"
            hint="Paste it where the ad should appear; the script is needed once per page"
          >
            <PlacementTag placement={placement} />
          </Card>
        </div>
      </div>
    </Page>
  )
}

const ROTATIONS = [
  { value: 'ordered', label: 'In order' },
  { value: 'weighted', label: 'At random by weight' },
]

function Settings({ placement }: { readonly placement: Placement }) {
  const canChange = useMay()('placements:write')
  const save = useChange(
    (body: object) => api.patch(`/admin/placements/${placement.id}`, body, placement.version),
    { touches: TOUCHED },
  )
  const [isOffered, setOffered] = useState(placement.isOffered)
  const { values, field } = useForm(
    {
      label: placement.label,
      mode: placement.mode,
      rotation: placement.rotation,
      maxBanners: String(placement.maxBanners),
      floorMicros: typedMoney(placement.floorMicros),
      recommendedWidth: placement.recommendedWidth ? String(placement.recommendedWidth) : '',
      recommendedHeight: placement.recommendedHeight ? String(placement.recommendedHeight) : '',
      notes: placement.notes ?? '',
    },
    save.error,
  )
  const submit = () =>
    save.mutate(
      {
        label: values.label,
        mode: values.mode,
        rotation: values.rotation,
        maxBanners: Number(values.maxBanners),
        floorMicros: readMoney(values.floorMicros) ?? values.floorMicros,
        recommendedWidth: values.recommendedWidth ? Number(values.recommendedWidth) : null,
        recommendedHeight: values.recommendedHeight ? Number(values.recommendedHeight) : null,
        notes: orNull(values.notes),
        isOffered,
      },
      { onSuccess: () => notify(`${values.label} is saved.`) },
    )
  return (
    <Card title="Sales">
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <fieldset disabled={!canChange} className="contents">
          <TextField label="Name" required {...field('label')} />
          <div className="grid gap-3 sm:grid-cols-2">
            <SelectField label="Sales mode" {...field('mode')} options={MODE_OPTIONS} />
            <SelectField label="Order of banners" {...field('rotation')} options={ROTATIONS} />
            <MoneyField
              label="Floor price (CPM)"
              currency={placement.currency ?? ''}
              {...field('floorMicros')}
              hint="Lower bids cannot win."
            />
            <TextField label="Banners per request" type="number" min={1} {...field('maxBanners')} />
            <TextField
              label="Width"
              isOptional
              type="number"
              min={1}
              {...field('recommendedWidth')}
            />
            <TextField
              label="Height"
              isOptional
              type="number"
              min={1}
              {...field('recommendedHeight')}
            />
          </div>
          <TextField label="Notes" isOptional {...field('notes')} />
          <SwitchField
            label="Offered to every advertiser"
            hint="They see its size, floor, traffic and average price, and book it for auctions themselves."
            isOn={isOffered}
            onToggle={setOffered}
            disabled={!canChange}
          />
        </fieldset>
        <ProblemNote error={save.error} />
        {canChange && (
          <div className="flex justify-end">
            <Button type="submit" look="primary" isBusy={save.isPending}>
              Save
            </Button>
          </div>
        )}
      </form>
    </Card>
  )
}

function Slots({ placement }: { readonly placement: Placement }) {
  const canChange = useMay()('placements:write')
  const [isAdding, setAdding] = useState(false)
  const slots = useSlots(placement.id)
  return (
    <Card
      title="Ad slots"
      isFlush
      actions={
        canChange && (
          <Button icon={Plus} onClick={() => setAdding(true)}>
            Add ad slot
          </Button>
        )
      }
    >
      <Answer of={slots}>
        {({ items }) =>
          items.length === 0 ? (
            <EmptyState
              title="No ad slot yet"
              text="An ad slot puts the placement on a site, with a size."
            />
          ) : (
            <ul>
              {items.map(({ id, name, siteId, siteName, width, height }) => (
                <li key={id} className="flex items-center gap-3 px-4 py-2.5 not-last:border-b">
                  <span className="min-w-0 flex-1">
                    <Link
                      to={`/sites/${siteId}`}
                      className="rounded-sm font-medium hover:underline"
                    >
                      {siteName ?? name}
                    </Link>
                    <span className="block truncate text-xs text-ink-faint">{name}</span>
                  </span>
                  <span className="text-ink-faint figures">
                    {width} × {height}
                  </span>
                </li>
              ))}
            </ul>
          )
        }
      </Answer>
      {isAdding && <AddSlot placement={placement} onClose={() => setAdding(false)} />}
    </Card>
  )
}

interface AddSlotProps {
  readonly placement: Placement
  readonly onClose: () => void
}

function AddSlot({ placement, onClose }: AddSlotProps) {
  const { publisherId } = placement
  const sites = { ...SITES, query: { ...SITES.query, publisherId } }
  const add = useChange((body: object) => api.post('/admin/slots', body), {
    touches: ['/admin/slots'],
  })
  const { values, field } = useForm(
    {
      siteId: '',
      name: placement.label,
      width: String(placement.recommendedWidth ?? 300),
      height: String(placement.recommendedHeight ?? 250),
    },
    add.error,
  )
  return (
    <FormDialog
      title="Add ad slot"
      action="Add ad slot"
      of={add}
      isReady={values.siteId !== ''}
      onSubmit={() =>
        add.mutate(
          {
            placementId: placement.id,
            siteId: values.siteId,
            name: values.name,
            width: Number(values.width),
            height: Number(values.height),
          },
          { onSuccess: onClose },
        )
      }
      onClose={onClose}
    >
      <PickThing of={sites} makeAt={MAKE_AT.site} label="Site" {...field('siteId')} />
      <TextField label="Name" required {...field('name')} />
      <div className="grid grid-cols-2 gap-3">
        <TextField label="Width" type="number" min={1} required {...field('width')} />
        <TextField label="Height" type="number" min={1} required {...field('height')} />
      </div>
    </FormDialog>
  )
}
