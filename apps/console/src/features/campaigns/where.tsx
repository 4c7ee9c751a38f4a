import { LayoutTemplate, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { useChange, useList } from '../../api/hooks.ts'
import { useMay } from '../../api/me.ts'
import type { Campaign, PlacementLink } from '../../api/types.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { FormDialog } from '../../ui/forms/form-dialog.tsx'
import { SwitchField } from '../../ui/forms/fields.tsx'
import { EmptyState, ProblemState, Waiting } from '../../ui/layout/states.tsx'
import { notify, notifyProblem } from '../../ui/overlays/toast.tsx'
import { PlacementState } from '../delivery/own-state.tsx'
import { Bookings } from './bookings.tsx'
import { PlacementPickers } from './edit/placement-pickers.tsx'

/** The campaign's placements, and the banners booked there. */
export function Where({ campaign }: { readonly campaign: Campaign }) {
  const may = useMay()
  const path = `/admin/campaigns/${campaign.id}/placements`
  const { rows, isLoading, error, retry } = useList<PlacementLink>(path)
  const [isAdding, setAdding] = useState(false)
  return (
    <Card
      title="Placements"
      hint="Ads bid here; booked banners are served first"
      isFlush
      actions={
        may('campaigns:write') && (
          <Button icon={Plus} onClick={() => setAdding(true)}>
            Add placements
          </Button>
        )
      }
    >
      {isLoading && <Waiting />}
      {error && rows.length === 0 && <ProblemState error={error} retry={retry} />}
      {!isLoading && !error && rows.length === 0 && (
        <EmptyState
          icon={LayoutTemplate}
          title="No placements yet"
          text={
            may('assignments:write')
              ? 'Add a placement so that the ads can be served.'
              : 'Add one that publishers offer to everybody, or ask ad operations for others under “Edit”.'
          }
        />
      )}
      <ul>
        {rows.map((link) => (
          <LinkRow key={link.placementId} campaign={campaign} link={link} path={path} />
        ))}
      </ul>
      {isAdding && (
        <AddPlacements
          campaign={campaign}
          path={path}
          taken={rows.map(({ placementId }) => placementId)}
          onClose={() => setAdding(false)}
        />
      )}
    </Card>
  )
}

interface LinkProps {
  readonly campaign: Campaign
  readonly link: PlacementLink
  readonly path: string
}

function LinkRow({ campaign, link, path }: LinkProps) {
  const may = useMay()
  const canChange = may('assignments:write')
  const own = `${path}/${link.placementId}`
  const toggle = useChange((isActive: boolean) => api.patch(own, { isActive }), { touches: [path] })
  const leave = canChange ? own : offeredPath(campaign, link.placementId)
  const remove = useChange(() => api.delete(leave), { touches: [path] })
  return (
    <li className="flex flex-col gap-2 px-4 py-3 not-last:border-b">
      <div className="flex items-center gap-3">
        <div className="min-w-0 flex-1">
          <SwitchField
            label={link.placementLabel}
            hint={link.placementSlug}
            isOn={link.isActive}
            disabled={!canChange}
            onToggle={(isActive) => toggle.mutate(isActive, { onError: notifyProblem })}
          />
        </div>
        {may('campaigns:write') && (
          <IconButton
            label="Remove from this placement"
            icon={Trash2}
            onClick={() =>
              remove.mutate(undefined, {
                onSuccess: () => notify(`The campaign no longer runs on ${link.placementLabel}.`),
                onError: notifyProblem,
              })
            }
          />
        )}
      </div>
      <PlacementState campaignId={campaign.id} link={link} />
      <Bookings campaign={campaign} own={own} path={path} />
    </li>
  )
}

interface AddProps {
  readonly campaign: Campaign
  readonly path: string
  readonly taken: readonly string[]
  readonly onClose: () => void
}

/** A buyer books what publishers offer to everybody. */
const offeredPath = ({ id }: Campaign, placementId: string) =>
  `/admin/campaigns/${id}/offered-placements/${placementId}`

function AddPlacements({ campaign, path, taken, onClose }: AddProps) {
  const isSeller = useMay()('assignments:write')
  const [left, setLeft] = useState<readonly string[]>([])
  const add = useChange(
    async (placementIds: readonly string[]) => {
      for (const [done, placementId] of placementIds.entries()) {
        if (!isSeller) await api.put(offeredPath(campaign, placementId))
        else if (!taken.includes(placementId)) await api.post(path, { placementId })
        setLeft(placementIds.slice(done + 1))
      }
    },
    { touches: [path] },
  )
  return (
    <FormDialog
      title="Add placements"
      about="The campaign’s ads compete in the auctions of these placements."
      action="Add placements"
      of={add}
      isReady={left.length > 0}
      onSubmit={() => add.mutate(left, { onSuccess: onClose })}
      onClose={onClose}
    >
      <PlacementPickers values={left} onValues={setLeft} />
    </FormDialog>
  )
}
