import { Pencil, Plus, Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { api } from '../../api/client.ts'
import { useChange, useRead } from '../../api/hooks.ts'
import { useMay } from '../../api/me.ts'
import type { Assignment, Banner, Campaign, PageOf } from '../../api/types.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { SelectField, SwitchField, TextField } from '../../ui/forms/fields.tsx'
import { FormDialog } from '../../ui/forms/form-dialog.tsx'
import { orNull, useForm } from '../../ui/forms/form.ts'
import { notify, notifyProblem } from '../../ui/overlays/toast.tsx'

interface BookingsProps {
  readonly campaign: Campaign
  /** Path of the campaign placement, and of the list it is in. */
  readonly own: string
  readonly path: string
}

/** Banners booked on a placement, with their overrides there. */
export function Bookings({ campaign, own, path }: BookingsProps) {
  const canChange = useMay()('assignments:write')
  const [opened, setOpened] = useState<Assignment | 'new'>()
  const booked = useRead<PageOf<Assignment>>(`${own}/banners`)
  const touches = [path, '/admin/creative-approvals']
  const remove = useChange((id: string) => api.delete(`${own}/banners/${id}`), { touches })
  const items = booked.data?.items ?? []
  return (
    <div className="flex flex-col items-start gap-1 pl-10">
      {items.length > 0 && (
        <ul className="w-full rounded-md border">
          {items.map((assignment) => (
            <BookingRow key={assignment.bannerId} assignment={assignment}>
              {canChange && (
                <>
                  <IconButton
                    label={`Edit booking of ${assignment.bannerTitle}`}
                    icon={Pencil}
                    onClick={() => setOpened(assignment)}
                  />
                  <IconButton
                    label={`Remove booking of ${assignment.bannerTitle}`}
                    icon={Trash2}
                    onClick={() =>
                      remove.mutate(assignment.bannerId, {
                        onSuccess: () =>
                          notify(`“${assignment.bannerTitle}” is no longer booked here.`),
                        onError: notifyProblem,
                      })
                    }
                  />
                </>
              )}
            </BookingRow>
          ))}
        </ul>
      )}
      {canChange && (
        <Button look="ghost" icon={Plus} onClick={() => setOpened('new')}>
          Book banner
        </Button>
      )}
      {opened && (
        <BookingDialog
          campaign={campaign}
          own={own}
          touches={touches}
          assignment={opened === 'new' ? undefined : opened}
          onClose={() => setOpened(undefined)}
        />
      )}
    </div>
  )
}

function BookingRow({
  assignment,
  children,
}: {
  readonly assignment: Assignment
  readonly children: ReactNode
}) {
  const { bannerTitle, weight, displayOrder, isFallback, isActive } = assignment
  const said = [
    assignment.overrideHeadline,
    assignment.overrideSubheadline,
    assignment.overrideCtaLabel,
    assignment.overrideCtaUrl,
  ].filter(Boolean)
  return (
    <li className="flex items-center gap-2 px-3 py-1 not-last:border-b">
      <span className="min-w-0 flex-1 py-1">
        <span className="block truncate font-medium">{bannerTitle}</span>
        <span className="block truncate text-xs text-ink-faint">
          order {displayOrder}, weight {weight}
          {said.length > 0 && `, here: ${said.join(' · ')}`}
        </span>
      </span>
      {isFallback && <Badge>Fallback</Badge>}
      {!isActive && <Badge tone="warn">Inactive</Badge>}
      {children}
    </li>
  )
}

interface BookingDialogProps {
  readonly campaign: Campaign
  readonly own: string
  readonly touches: readonly string[]
  /** Undefined for a new one. */
  readonly assignment: Assignment | undefined
  readonly onClose: () => void
}

function BookingDialog({ campaign, own, touches, assignment, onClose }: BookingDialogProps) {
  const banners = useRead<PageOf<Banner>>('/admin/banners', {
    query: { advertiserId: campaign.advertiserId, limit: 200 },
    when: assignment === undefined,
  })
  const [isFallback, setFallback] = useState(assignment?.isFallback ?? false)
  const [isActive, setActive] = useState(assignment?.isActive ?? true)
  const save = useChange(
    ({ bannerId, ...body }: { readonly bannerId: string | undefined }) =>
      assignment
        ? api.patch(`${own}/banners/${bannerId}`, body, assignment.version)
        : api.post(`${own}/banners`, { bannerId, ...body }),
    { touches },
  )
  const { values, field } = useForm(valuesOf(assignment), save.error)
  const options = banners.data?.items.map(({ id, title }) => ({ value: id, label: title })) ?? []
  const submit = () =>
    save.mutate(
      {
        bannerId: assignment?.bannerId ?? (values.bannerId || options[0]?.value),
        ...bodyOf(values),
        isFallback,
        isActive,
      } as { readonly bannerId: string | undefined },
      { onSuccess: onClose },
    )
  return (
    <FormDialog
      title={assignment ? `Booking of “${assignment.bannerTitle}”` : 'Book banner'}
      about="A booked banner is served here before any auction, at the campaign’s rate."
      action={assignment ? 'Save booking' : 'Book banner'}
      of={save}
      onSubmit={submit}
      onClose={onClose}
    >
      {!assignment && <SelectField label="Banner" {...field('bannerId')} options={options} />}
      <div className="grid gap-3 sm:grid-cols-2">
        <TextField
          label="Order"
          type="number"
          min={0}
          {...field('displayOrder')}
          hint="The lowest number is served first."
        />
        <TextField
          label="Weight"
          type="number"
          min={0}
          {...field('weight')}
          hint="Banners with the same order: the higher weight comes first, or gets the larger share of a rotation."
        />
      </div>
      <TextField label="Headline on this placement" isOptional {...field('overrideHeadline')} />
      <TextField
        label="Subheadline on this placement"
        isOptional
        {...field('overrideSubheadline')}
      />
      <div className="grid gap-3 sm:grid-cols-2">
        <TextField
          label="Button text on this placement"
          isOptional
          {...field('overrideCtaLabel')}
        />
        <TextField label="Landing page on this placement" isOptional {...field('overrideCtaUrl')} />
      </div>
      <SwitchField
        label="Fallback: serve only when nothing else is available"
        isOn={isFallback}
        onToggle={setFallback}
      />
      {assignment && <SwitchField label="Active" isOn={isActive} onToggle={setActive} />}
    </FormDialog>
  )
}

const valuesOf = (assignment: Assignment | undefined) => ({
  bannerId: '',
  displayOrder: String(assignment?.displayOrder ?? 0),
  weight: String(assignment?.weight ?? 100),
  overrideHeadline: assignment?.overrideHeadline ?? '',
  overrideSubheadline: assignment?.overrideSubheadline ?? '',
  overrideCtaLabel: assignment?.overrideCtaLabel ?? '',
  overrideCtaUrl: assignment?.overrideCtaUrl ?? '',
})

const bodyOf = (values: ReturnType<typeof valuesOf>) => ({
  displayOrder: Number(values.displayOrder),
  weight: Number(values.weight),
  overrideHeadline: orNull(values.overrideHeadline),
  overrideSubheadline: orNull(values.overrideSubheadline),
  overrideCtaLabel: orNull(values.overrideCtaLabel),
  overrideCtaUrl: orNull(values.overrideCtaUrl),
})
